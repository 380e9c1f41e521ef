#include <pthread.h>
#include <assert.h>

pthread_spinlock_t s;
int n;

void *f(void *arg) {
    if (pthread_spin_trylock(&s) == 0) {
        n = n + 1;
        pthread_spin_unlock(&s);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_spin_init(&s, 0);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 1 || n == 2);
    return 0;
}
