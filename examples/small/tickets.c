/* As many customers as somebody outside wants; each draws a number and waits for its turn. No two are served at once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
atomic_uint next, serving;
unsigned served;

static unsigned drawn(void)
{
    unsigned mine = next;
    do {
        if (mine == -1u)
            abort(); /* no numbers are left */
    } while (!atomic_compare_exchange_strong(&next, &mine, mine + 1));
    return mine;
}

void *customer(void *unused)
{
    unsigned mine = drawn();
    while (serving != mine)
        ;
    served = mine;
    assert(served == mine);
    serving = mine + 1;
    return unused;
}

int main(void)
{
    pthread_t one;
    while (__VERIFIER_nondet_int())
        pthread_create(&one, 0, customer, 0);
    return 0;
}
