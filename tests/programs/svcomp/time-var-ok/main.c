#include <pthread.h>
#include <assert.h>

pthread_mutex_t m_inode = PTHREAD_MUTEX_INITIALIZER, m_busy = PTHREAD_MUTEX_INITIALIZER;
int inode, busy, block;

void *allocator(void *arg) {
    pthread_mutex_lock(&m_inode);
    if (inode == 0) {
        pthread_mutex_lock(&m_busy);
        busy = 1;
        pthread_mutex_unlock(&m_busy);
        inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&m_inode);
    return 0;
}

void *de_allocator(void *arg) {
    pthread_mutex_lock(&m_busy);
    if (busy == 0) {
        busy = 2;
    }
    pthread_mutex_unlock(&m_busy);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, allocator, NULL);
    pthread_create(&t2, NULL, de_allocator, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(busy == 1);
    return 0;
}
