#include <pthread.h>
#include <time.h>

time_t now;

void *f(void *arg) {
    return now ? arg : NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    time(&now);
    pthread_join(t, NULL);
    return 0;
}
