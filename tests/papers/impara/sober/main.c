#include <assert.h>
#include <pthread.h>

int idling, work;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t more = PTHREAD_COND_INITIALIZER;
_Atomic int asleep; // for the assertion: set and reset by stores that drain, after the loads that matter

void *consumer(void *arg) {
    pthread_mutex_lock(&m);
    idling = 1;
    if (!work) {
        asleep = 1;
        pthread_cond_wait(&more, &m);
        asleep = 0;
    }
    idling = 0;
    pthread_mutex_unlock(&m);
    return 0;
}

void *producer(void *arg) {
    work = 1;
    if (idling) {
        pthread_mutex_lock(&m);
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&m);
    } else {
        assert(!asleep); // nobody will wake it
    }
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, consumer, 0);
    pthread_create(&id2, 0, producer, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    return 0;
}
