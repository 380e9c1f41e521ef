#include <assert.h>
#include <pthread.h>

int x;
int a;

void *t1(void *arg) {
    a = x;
    return 0;
}

int main(void) {
    x = 1;
    pthread_t id1;
    pthread_create(&id1, 0, t1, 0);
    pthread_join(id1, 0);
    assert(a == 1);
    return 0;
}
