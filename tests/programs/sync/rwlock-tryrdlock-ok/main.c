#include <pthread.h>
#include <assert.h>
#include <errno.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *while_read(void *arg) {
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    pthread_rwlock_unlock(&l);
    return 0;
}

void *while_written(void *arg) {
    assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_rdlock(&l);
    pthread_create(&t, NULL, while_read, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_create(&t, NULL, while_written, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&l);
    return 0;
}
