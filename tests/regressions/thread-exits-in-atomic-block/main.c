#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <semaphore.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void); extern void abort(void);
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_assume(int);

int x;
void*A(void*z){__VERIFIER_atomic_begin();x=5;pthread_exit(0);return 0;}
void*B(void*z){__VERIFIER_atomic_begin();x=7;__VERIFIER_atomic_end();return 0;}
int main(){ pthread_t p,q; pthread_create(&p,0,A,0);pthread_create(&q,0,B,0); pthread_join(q,0); pthread_join(p,0); if(x==5) reach_error(); return 0;}
