#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *arg)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    _Bool c = __VERIFIER_nondet_bool();
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    if (c)
        pthread_join(b, 0);
    if (c)
        return count; /* races with a, never with b */
    return 0;
}
