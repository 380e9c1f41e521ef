#include <pthread.h>
#include <assert.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
_Atomic int inside;

void *reader(void *arg) {
    pthread_rwlock_rdlock(&l);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
