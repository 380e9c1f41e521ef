#include <pthread.h>
#include <assert.h>

pthread_spinlock_t s, z;
int n;

void *f(void *arg) {
    pthread_spin_lock(&s);
    n = n + 1;
    pthread_spin_unlock(&s);
    return 0;
}

void *g(void *arg) {
    pthread_spin_lock(&z);
    n = n + 1;
    pthread_spin_unlock(&z);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_spin_init(&s, 0);
    pthread_spin_init(&z, 0);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 2);
    return 0;
}
