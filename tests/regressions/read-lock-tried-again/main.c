#include <pthread.h>

pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *arg) {
    pthread_rwlock_rdlock(&r);
    pthread_rwlock_tryrdlock(&r);
    pthread_rwlock_unlock(&r);
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, reader, 0);
    pthread_rwlock_wrlock(&r);
    return 0;
}
