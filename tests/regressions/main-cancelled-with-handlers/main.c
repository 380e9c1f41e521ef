#include <pthread.h>
#include <stdlib.h>

extern void reach_error(void);
static pthread_t first;

static void at_end(void) {
    reach_error();
}

static void *f(void *arg) {
    pthread_cancel(first);
    pthread_join(first, NULL);
    return NULL;
}

int main(void) {
    pthread_t t;
    first = pthread_self();
    atexit(at_end);
    pthread_create(&t, NULL, f, NULL);
    for (;;)
        pthread_testcancel();
}
