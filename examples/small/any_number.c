/* As many workers as somebody outside wants; a mutex keeps the stock within its bounds. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int stock;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    if (stock < 100)
        stock++;
    assert(stock <= 100);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one;
    while (__VERIFIER_nondet_int())
        pthread_create(&one, 0, worker, 0);
    return 0;
}
