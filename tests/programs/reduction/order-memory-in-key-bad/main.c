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
    int later = y, first = x;
    assert(!(first == 2 && later == 0));
    return 0;
}
