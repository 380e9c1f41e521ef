#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);

#ifndef SETS
#define SETS 2
#define CHECKS 2
#endif
int a, b;

static void *sets(void *arg) {
    a = 1;
    b = -1;
    return 0;
}

static void *checks(void *arg) {
    if (!((a == 0 && b == 0) || (a == 1 && b == -1)))
        reach_error();
    return 0;
}

int main(void) {
    pthread_t *t = malloc(sizeof(pthread_t) * (SETS + CHECKS));
    if (!t)
        return 0;
    for (int i = 0; i < SETS; i++)
        pthread_create(&t[i], 0, sets, 0);
    for (int i = 0; i < CHECKS; i++)
        pthread_create(&t[SETS + i], 0, checks, 0);
    for (int i = 0; i < SETS + CHECKS; i++)
        pthread_join(t[i], 0);
    return 0;
}
