#include <pthread.h>

int x;

void *f(void *arg) {
    pthread_testcancel();
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, 0, f, 0);
    pthread_cancel(t1);
    pthread_join(t1, 0);
    return 0;
}
