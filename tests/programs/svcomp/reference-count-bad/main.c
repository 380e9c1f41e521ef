#include <pthread.h>
#include <assert.h>

_Atomic int refs = 2, released;

void *user(void *arg) {
    refs--;
    if (refs == 0)
        released++;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, user, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(released == 1);
    return 0;
}
