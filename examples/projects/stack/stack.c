/* -DBUG_FREE: a node is freed without asking who reads it. -DBUG_CHECK: top is not read again after the announcement. */
#include "stack.h"

#include <stdlib.h>

void stack_push(struct stack *s, int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    struct node *top = atomic_load(&s->top);
    do
        n->next = top;
    while (!atomic_compare_exchange_strong(&s->top, &top, n));
}

static int is_read(struct stack *s, int me, struct node *n) {
    for (int i = 0; i < THREADS; i++)
        if (i != me && atomic_load(&s->hazard[i]) == n)
            return 1;
    return 0;
}

static void retire(struct stack *s, int me, struct node *n) {
#ifdef BUG_FREE
    free(n);
#else
    if (is_read(s, me, n)) {
        s->retired[me] = n; /* a second one does not come: the drivers pop once per thread */
        return;
    }
    free(n);
#endif
}

int stack_pop(struct stack *s, int me, int *value) {
    for (;;) {
        struct node *top = atomic_load(&s->top);
        if (!top)
            return 0;
        atomic_store(&s->hazard[me], top);
#ifndef BUG_CHECK
        if (atomic_load(&s->top) != top)
            continue;
#endif
        struct node *next = top->next;
        if (!atomic_compare_exchange_strong(&s->top, &top, next))
            continue;
        *value = top->value;
        atomic_store(&s->hazard[me], NULL);
        retire(s, me, top);
        return 1;
    }
}

void stack_clear(struct stack *s) {
    for (struct node *n = atomic_load(&s->top), *next; n; n = next) {
        next = n->next;
        free(n);
    }
    for (int i = 0; i < THREADS; i++)
        free(s->retired[i]);
}
