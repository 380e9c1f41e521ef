#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

_Atomic int refs = 2;
int released;

void *user(void *arg) {
    if (atomic_fetch_sub(&refs, 1) == 1)
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
