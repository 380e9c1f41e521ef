#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int x, y;
int a, b;
sem_t s;

void *t1(void *arg) {
    x = 1;
    sem_post(&s);
    a = y;
    return 0;
}

void *t2(void *arg) {
    y = 1;
    sem_post(&s);
    b = x;
    return 0;
}

int main(void) {
    sem_init(&s, 0, 0);
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    assert(!(a == 0 && b == 0));
    return 0;
}
