/* The sum of two numbers from two threads need not fit. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int left, right;

void *get(void *unused)
{
    left = __VERIFIER_nondet_int();
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, get, 0);
    right = __VERIFIER_nondet_int();
    pthread_join(other, 0);
    return left + right == 0;
}
