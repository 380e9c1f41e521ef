#include <assert.h>
#include <pthread.h>

int x, y;

void *t1(void *arg) {
    x = 1;
    y = 1;
    return 0;
}

int main(void) {
    pthread_t id1;
    pthread_create(&id1, 0, t1, 0);
    pthread_join(id1, 0);
    assert(!(x != 1 || y != 1));
    return 0;
}
