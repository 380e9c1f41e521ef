#include <pthread.h>

_Atomic int i = 1, j = 1;

void *f(void *arg) {
    for (int k = 0; k < 3; k++)
        i = i + j;
    return 0;
}

void *g(void *arg) {
    for (int k = 0; k < 3; k++)
        j = j + i;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, f, 0);
    pthread_create(&t2, 0, g, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
