#include <pthread.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
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
    unsigned c = __VERIFIER_nondet_uint();
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    if (c * 2654435761u == 123456789u) /* one number is right, and no random run draws it */
        pthread_join(b, 0);
    int seen = count;
    if (c * 2654435761u == 123456789u && seen == 1)
        reach_error();
    return 0;
}
