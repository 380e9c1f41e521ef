/* A lock-free stack. Whoever reads a node announces it in a hazard pointer; a node is freed when nobody announces it. */
#ifndef STACK_H
#define STACK_H

#include <stdatomic.h>

#define THREADS 2

struct node {
    int value;
    struct node *next;
};

struct stack {
    _Atomic(struct node *) top;
    _Atomic(struct node *) hazard[THREADS];
    struct node *retired[THREADS]; /* of each thread, the last node it took off and could not free */
};

void stack_push(struct stack *s, int value);
/* 1 and the value, or 0 if it is empty; `me` is the number of the calling thread. */
int stack_pop(struct stack *s, int me, int *value);
/* When all threads have ended. */
void stack_clear(struct stack *s);

#endif
