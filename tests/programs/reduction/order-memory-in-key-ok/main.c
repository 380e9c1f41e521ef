#include <pthread.h>
#include <assert.h>

int x, y;

void *f(void *arg) {
    while (x < 2)
        x++;
    return NULL;
}

void *g(void *arg) {
    while (y < 2)
        y++;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == y);
    return 0;
}
