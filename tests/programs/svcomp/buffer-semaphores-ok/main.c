#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

int buf[2], sum;
sem_t free_slots, items;

void *producer(void *arg) {
    for (int i = 0; i < 3; i++) {
        sem_wait(&free_slots);
        buf[i % 2] = i + 1;
        sem_post(&items);
    }
    return 0;
}

void *consumer(void *arg) {
    for (int i = 0; i < 3; i++) {
        sem_wait(&items);
        sum += buf[i % 2];
        sem_post(&free_slots);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&free_slots, 0, 2);
    sem_init(&items, 0, 0);
    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(sum == 6);
    return 0;
}
