#include <pthread.h>

extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int count;

void *add(void *arg)
{
    __sync_fetch_and_add(&count, 1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    _Bool c = __VERIFIER_nondet_bool(), d = __VERIFIER_nondet_bool();
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    if (c)
        pthread_join(b, 0);
    if (d)
        pthread_join(a, 0);
    int seen = count;
    if (c && !d && seen == 1)
        reach_error();
    return 0;
}
