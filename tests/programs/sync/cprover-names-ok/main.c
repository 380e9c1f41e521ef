#include <pthread.h>

void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
_Bool nondet_bool(void);
unsigned char nondet_uchar(void);

int n;

void *f(void *arg) {
    __CPROVER_atomic_begin();
    n = n + 1;
    __CPROVER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    unsigned char step = nondet_uchar();
    __CPROVER_assume(step < 3);
    pthread_create(&t, NULL, f, NULL);
    if (nondet_bool())
        f(NULL);
    pthread_join(t, NULL);
    __CPROVER_assert(n >= 1 && n <= 2, "one or two");
    __CPROVER_assert(step != 3, "assumed");
    return 0;
}
