/* Two transfers between two accounts, in opposite directions. Each takes the lock of the account it takes from,
 * then the other one: if both have taken their first, neither gets its second.
 *
 *     threadproof verify examples/deadlock.c --property no-deadlock
 */
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};
struct account checking = {PTHREAD_MUTEX_INITIALIZER, 50};

void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

void *pay_rent(void *unused)
{
    transfer(&savings, &checking, 30);
    return 0;
}

void *put_aside(void *unused)
{
    transfer(&checking, &savings, 10);
    return 0;
}

int main(void)
{
    pthread_t rent, aside;
    pthread_create(&rent, 0, pay_rent, 0);
    pthread_create(&aside, 0, put_aside, 0);
    pthread_join(rent, 0);
    pthread_join(aside, 0);
    return 0;
}
