// Dekker's algorithm: each thread enters once; the critical section writes what the assertion reads.
#include <assert.h>
#include <pthread.h>

int wants1, wants2, turn, x;

void *first(void *arg) {
    wants1 = 1;
    while (wants2) {
        if (turn != 0) {
            wants1 = 0;
            while (turn != 0)
                ;
            wants1 = 1;
        }
    }
    x = 0;
    assert(x <= 0);
    turn = 1;
    wants1 = 0;
    return 0;
}

void *second(void *arg) {
    wants2 = 1;
    while (wants1) {
        if (turn != 1) {
            wants2 = 0;
            while (turn != 1)
                ;
            wants2 = 1;
        }
    }
    x = 1;
    assert(x >= 1);
    turn = 0;
    wants2 = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
