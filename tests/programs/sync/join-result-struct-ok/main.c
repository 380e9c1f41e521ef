#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

struct pair { int a, b; };

void *f(void *arg) {
    struct pair *p = malloc(sizeof *p);
    p->a = 1;
    p->b = 2;
    return p;
}

int main(void) {
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, &r);
    struct pair *p = r;
    assert(p->a == 1 && p->b == 2);
    free(p);
    return 0;
}
