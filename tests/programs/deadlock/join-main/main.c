#include <pthread.h>

pthread_t main_thread;

void *f(void *arg) {
    pthread_join(main_thread, NULL);
    return 0;
}

int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    return 0;
}
