#include <pthread.h>

extern void reach_error(void);

int x, y, z;

void *t1(void *arg) {
    x = 1;
    if (y == 0)
        z = 1;
    return 0;
}

void *t2(void *arg) {
    y = 1;
    if (x == 0 && z == 1)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    return 0;
}
