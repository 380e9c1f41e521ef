#include <pthread.h>
#include <assert.h>

int seen[3];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    int id = *(int *)arg;
    pthread_mutex_lock(&m);
    seen[id] = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, f, &i);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(seen[0]);
    return 0;
}
