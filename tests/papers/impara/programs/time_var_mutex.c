// An inode is given a block under one lock, and a block is freed under another; busy says whose it is.
#include <assert.h>
#include <pthread.h>

int block, busy, inode;
pthread_mutex_t of_inode = PTHREAD_MUTEX_INITIALIZER, of_busy = PTHREAD_MUTEX_INITIALIZER;

void *allocates(void *arg) {
    pthread_mutex_lock(&of_inode);
    if (inode == 0) {
        pthread_mutex_lock(&of_busy);
        busy = 1;
        pthread_mutex_unlock(&of_busy);
        inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&of_inode);
    return 0;
}

void *frees(void *arg) {
    pthread_mutex_lock(&of_busy);
    if (busy == 0) {
        block = 0;
        assert(block == 0);
    }
    pthread_mutex_unlock(&of_busy);
    return 0;
}

int main(void) {
    pthread_t a, b;
    assert(inode == busy);
    pthread_create(&a, 0, allocates, 0);
    pthread_create(&b, 0, frees, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
