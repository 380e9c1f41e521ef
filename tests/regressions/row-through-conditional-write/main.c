#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <semaphore.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void); extern void abort(void);
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_assume(int);

int x; void*t(void*a){x=1;return 0;}
int main(){ _Bool c=__VERIFIER_nondet_bool(), d=__VERIFIER_nondet_bool(); pthread_t h; pthread_create(&h,0,t,0);
 if(c){pthread_join(h,0); x=2;} if(d) x=3; int r=x; if(d&&!c&&r==1) reach_error(); return 0;}
