#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <semaphore.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void); extern void abort(void);
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_assume(int);

int main(){ int*p=malloc(4); unsigned a=(unsigned)(uintptr_t)p; free(p); int*q=malloc(4); if((unsigned)(uintptr_t)q==a) reach_error(); return 0;}
