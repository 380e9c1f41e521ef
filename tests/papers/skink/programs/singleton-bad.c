#include <pthread.h>
#include <stdlib.h>
#include <assert.h>

char *v;

static void *allocates(void *arg) {
    v = malloc(1);
    return 0;
}

static void *writes_x(void *arg) {
    if (v)
        v[0] = 'X';
    return 0;
}

static void *writes_y(void *arg) {
    if (v)
        v[0] = 'Y';
    return 0;
}

static void *first(void *arg) {
    pthread_t t1, t2, t3, t4, t5;
    pthread_create(&t1, 0, allocates, 0);
    pthread_join(t1, 0);
    pthread_create(&t2, 0, writes_x, 0);
    pthread_create(&t3, 0, writes_y, 0);
    pthread_create(&t4, 0, writes_y, 0);
    pthread_create(&t5, 0, writes_y, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    pthread_join(t4, 0);
    pthread_join(t5, 0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    pthread_join(t, 0);
    assert(!v || v[0] == 'X');
    return 0;
}
