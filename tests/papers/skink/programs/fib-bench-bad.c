#include <pthread.h>
extern void reach_error(void);

#ifndef ROUNDS
#define ROUNDS 5
#define LIMIT 144 /* the Fibonacci number 2 * ROUNDS + 2 */
#endif
int i = 1, j = 1;

static void *t1(void *arg) {
    for (int k = 0; k < ROUNDS; k++)
        i = i + j;
    return 0;
}

static void *t2(void *arg) {
    for (int k = 0; k < ROUNDS; k++)
        j = j + i;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, t1, 0);
    pthread_create(&b, 0, t2, 0);
    if (i >= LIMIT || j >= LIMIT)
        reach_error();
    return 0;
}
