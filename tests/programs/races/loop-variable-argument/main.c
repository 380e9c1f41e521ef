#include <pthread.h>

void *f(void *arg) {
    int i = *(int *)arg;
    (void)i;
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, f, &i);
    return 0;
}
