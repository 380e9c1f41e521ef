#include <pthread.h>

extern void reach_error(void);

static void *f(void *arg) {
    if (*(int *)arg == 2)
        reach_error();
    return NULL;
}

int main(void) {
    pthread_t t;
    int one = 1;
    pthread_create(&t, NULL, f, &one);
    pthread_exit(NULL);
}
