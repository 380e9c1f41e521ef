#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

struct node { struct node *next; };
static struct node *head, *tail;

int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->next = b;
    b->next = a;
    head = a;
    head = 0;
    return 0;
}
