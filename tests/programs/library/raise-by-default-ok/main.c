#include <pthread.h>
#include <signal.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

void *f(void *arg) {
    pthread_mutex_lock(&m);
    raise(SIGCHLD);
    if (n++ > 5)
        raise(SIGTERM);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    f(0);
    pthread_join(t, 0);
    n = raise(0);
    raise(SIGKILL);
    n = 1 / n;
    return 0;
}
