#include <pthread.h>
#include <assert.h>
#include <time.h>

void reach_error(void) { assert(0); }

void *f(void *arg) {
    time_t a = time(NULL);
    time_t b = time(NULL);
    if (a != b)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    return 0;
}
