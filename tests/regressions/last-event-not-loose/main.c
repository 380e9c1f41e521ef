#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <semaphore.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void); extern void abort(void);
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_assume(int);

int x,y; _Bool c; pthread_t td,tc;
void*d(void*a){y=1;return 0;}
void*child(void*a){ if(c){pthread_join(td,0); x=1;} return 0;}
int main(){ c=__VERIFIER_nondet_bool(); pthread_create(&td,0,d,0); pthread_create(&tc,0,child,0);
 int r0=x; pthread_join(tc,0); int r=y; if(!c && r==0 && r0==0) reach_error(); return 0;}
