#include <assert.h>
#include <pthread.h>

pthread_t worker;

void *work(void *arg) { return (void *)7; }

void *joiner(void *arg) {
    pthread_join(worker, 0);
    return 0;
}

int main(void) {
    pthread_t t1;
    void *result;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&t1, 0, joiner, 0);
    pthread_join(worker, &result);
    assert(result == (void *)7);
    return 0;
}
