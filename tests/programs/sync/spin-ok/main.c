#include <pthread.h>
#include <assert.h>

pthread_spinlock_t s;
int n;

void *f(void *arg) {
    pthread_spin_lock(&s);
    n = n + 1;
    pthread_spin_unlock(&s);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_spin_destroy(&s);
    assert(n == 2);
    return 0;
}
