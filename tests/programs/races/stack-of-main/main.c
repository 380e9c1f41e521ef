#include <pthread.h>

void *f(void *arg) {
    *(int *)arg = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    int local = 0;
    pthread_create(&t1, NULL, f, &local);
    pthread_create(&t2, NULL, f, &local);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return local - 1;
}
