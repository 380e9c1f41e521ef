#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

char *v;

static void *allocates(void *arg) {
    v = malloc(8);
    return 0;
}

static void *writes(void *arg) {
    if (v)
        strcpy(v, "Bigshot");
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, allocates, 0);
    pthread_join(t1, 0);
    pthread_create(&t2, 0, writes, 0);
    pthread_join(t2, 0);
    assert(!v || v[0] == 'B');
    return 0;
}
