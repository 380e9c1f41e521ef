#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock;

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_rwlockattr_t kind;
    pthread_rwlockattr_init(&kind);
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &kind);
    pthread_create(&thread, 0, writer, 0);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock); /* waits for the writer that waits for us */
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, 0);
}
