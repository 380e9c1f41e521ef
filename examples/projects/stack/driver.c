/* Two threads take one value each. */
#include "stack.h"

#include <assert.h>
#include <pthread.h>

static struct stack stack;
static int taken[THREADS];

static void *taker(void *given) {
    int me = (int)(long)given;
    assert(stack_pop(&stack, me, &taken[me]));
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    stack_push(&stack, 1);
    stack_push(&stack, 2);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, taker, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(taken[0] + taken[1] == 3);
    stack_clear(&stack);
    return 0;
}
