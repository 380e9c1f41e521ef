#include <pthread.h>

__thread int x;
int *_Atomic p;
_Atomic int stop;

void *f(void *arg) {
    p = &x;
    x = 1;
    while (!stop)
        ;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    int *q = p;
    if (q)
        *q = 2;
    stop = 1;
    pthread_join(t1, NULL);
    return 0;
}
