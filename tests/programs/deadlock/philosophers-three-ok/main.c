#include <pthread.h>

pthread_mutex_t fork_[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void *phil(void *arg) {
    long i = (long)arg;
    long a = i < 2 ? i : 0, b = i < 2 ? i + 1 : 2;
    pthread_mutex_lock(&fork_[a]);
    pthread_mutex_lock(&fork_[b]);
    pthread_mutex_unlock(&fork_[b]);
    pthread_mutex_unlock(&fork_[a]);
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, phil, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
