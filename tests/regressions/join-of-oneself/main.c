#include <errno.h>
#include <pthread.h>

extern void reach_error(void);
static pthread_t mine;
static int one;

static void *f(void *arg) {
    if (pthread_join(mine, NULL) == EDEADLK && one == 1)
        reach_error();
    return NULL;
}

int main(void) {
    one = pthread_join(pthread_self(), NULL) == EDEADLK;
    pthread_create(&mine, NULL, f, NULL);
    pthread_exit(NULL);
}
