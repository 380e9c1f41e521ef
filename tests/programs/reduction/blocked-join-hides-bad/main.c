#include <pthread.h>
#include <assert.h>

int g;
pthread_t t2;

void *trivial(void *arg) {
    return NULL;
}

void *waits(void *arg) {
    pthread_join(t2, NULL);
    assert(g == 1);
    return NULL;
}

void *writes(void *arg) {
    g = 1;
    return NULL;
}

int main(void) {
    pthread_t t1, t3;
    pthread_create(&t2, NULL, trivial, NULL);
    pthread_create(&t1, NULL, waits, NULL);
    pthread_create(&t3, NULL, writes, NULL);
    return 0;
}
