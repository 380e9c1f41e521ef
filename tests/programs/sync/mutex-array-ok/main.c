#include <pthread.h>
#include <assert.h>

pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int slot[2];

void *f(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m[i]);
        slot[i] = slot[i] + 1;
        pthread_mutex_unlock(&m[i]);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(slot[0] == 2 && slot[1] == 2);
    return 0;
}
