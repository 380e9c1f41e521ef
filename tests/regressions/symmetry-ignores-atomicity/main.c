#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <semaphore.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void); extern void abort(void);
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_assume(int);

int x; atomic_int flag;
void*A(void*z){ int r; if(z) r=x; else r=__atomic_load_n(&x,__ATOMIC_RELAXED); flag=1; return 0;}
int main(){ pthread_t p,q; pthread_create(&p,0,A,(void*)1); pthread_create(&q,0,A,0); if(flag==1) __atomic_store_n(&x,2,__ATOMIC_RELAXED); return 0;}
