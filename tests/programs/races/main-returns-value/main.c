#include <pthread.h>

int x;

void *f(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    return x;
}
