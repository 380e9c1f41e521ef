// Lamport's fast mutual exclusion for two threads, each of which enters once.
#include <assert.h>
#include <pthread.h>

int x, y, busy1, busy2, inside;

void *first(void *arg) {
    for (;;) {
        busy1 = 1;
        x = 1;
        if (y != 0) {
            busy1 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 1;
        if (x != 1) {
            busy1 = 0;
            while (busy2)
                ;
            if (y != 1) {
                while (y != 0)
                    ;
                continue;
            }
        }
        break;
    }
    inside = 0;
    assert(inside <= 0);
    y = 0;
    busy1 = 0;
    return 0;
}

void *second(void *arg) {
    for (;;) {
        busy2 = 1;
        x = 2;
        if (y != 0) {
            busy2 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 2;
        if (x != 2) {
            busy2 = 0;
            while (busy1)
                ;
            if (y != 2) {
                while (y != 0)
                    ;
                continue;
            }
        }
        break;
    }
    inside = 1;
    assert(inside >= 1);
    y = 0;
    busy2 = 0;
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
