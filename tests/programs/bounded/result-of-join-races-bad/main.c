#include <pthread.h>

void *result;

void *give(void *arg) { return (void *)3; }

void *reset(void *arg) {
    result = 0;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, give, 0);
    pthread_create(&two, 0, reset, 0);
    pthread_join(one, &result);
    pthread_join(two, 0);
    return 0;
}
