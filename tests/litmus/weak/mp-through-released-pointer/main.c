#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

int data;
int *_Atomic p;

void *t1(void *arg) {
    data = 1;
    atomic_store_explicit(&p, &data, memory_order_release);
    return 0;
}

void *t2(void *arg) {
    int *q = atomic_load_explicit(&p, memory_order_consume);
    if (q != 0 && *q == 0)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    return 0;
}
