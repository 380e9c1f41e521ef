#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int balance = 10, in_sum, out_sum;

void *deposit(void *arg) {
    int a = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&m);
    balance += a;
    in_sum += a;
    pthread_mutex_unlock(&m);
    return 0;
}

void *withdraw(void *arg) {
    int a = __VERIFIER_nondet_bool() ? 2 : 3;
    pthread_mutex_lock(&m);
    balance -= a;
    out_sum += a;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, deposit, NULL);
    pthread_create(&t2, NULL, withdraw, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(balance == 10 + in_sum - out_sum);
    return 0;
}
