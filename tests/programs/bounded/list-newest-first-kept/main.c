#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

struct node { struct node *next; };
static struct node *head, *tail;

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }
    return 0;
}
