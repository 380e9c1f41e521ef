#include <pthread.h>

void *f(void *arg) {
    pthread_join(pthread_self(), NULL);
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    return 0;
}
