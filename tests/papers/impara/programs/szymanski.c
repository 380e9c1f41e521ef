// Szymanski's algorithm for two threads: a waiting room with two doors.
#include <assert.h>
#include <pthread.h>

int at1, at2, x;

void *first(void *arg) {
    at1 = 1;
    while (at2 >= 3)
        ;
    at1 = 3;
    if (at2 == 1) {
        at1 = 2;
        while (at2 != 4)
            ;
    }
    at1 = 4;
    while (at2 >= 2)
        ;
    x = 0;
    assert(x <= 0);
    while (2 <= at2 && at2 <= 3)
        ;
    at1 = 0;
    return 0;
}

void *second(void *arg) {
    at2 = 1;
    while (at1 >= 3)
        ;
    at2 = 3;
    if (at1 == 1) {
        at2 = 2;
        while (at1 != 4)
            ;
    }
    at2 = 4;
    while (at1 >= 2)
        ;
    x = 1;
    assert(x >= 1);
    while (2 <= at1 && at1 <= 3)
        ;
    at2 = 0;
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
