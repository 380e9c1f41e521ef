#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int balance = 10;

void *deposit(void *arg) {
    int b = balance;
    pthread_mutex_lock(&m);
    balance = b + 5;
    pthread_mutex_unlock(&m);
    return 0;
}

void *withdraw(void *arg) {
    pthread_mutex_lock(&m);
    balance -= 3;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, deposit, NULL);
    pthread_create(&t2, NULL, withdraw, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(balance == 12);
    return 0;
}
