#include <pthread.h>
#include <assert.h>

pthread_mutex_t fork_[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int meals;

void *phil(void *arg) {
    long i = (long)arg, next = (i + 1) % 2;
    pthread_mutex_lock(&fork_[i]);
    pthread_mutex_lock(&fork_[next]);
    meals++;
    pthread_mutex_unlock(&fork_[next]);
    pthread_mutex_unlock(&fork_[i]);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, phil, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(meals == 2);
    return 0;
}
