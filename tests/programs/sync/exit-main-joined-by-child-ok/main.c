#include <pthread.h>
#include <assert.h>

int x;
pthread_t main_thread;

void *f(void *arg) {
    pthread_join(main_thread, NULL);
    assert(x == 1);
    return 0;
}

int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&t, NULL, f, NULL);
    x = 1;
    pthread_exit(NULL);
}
