#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <semaphore.h>
#include <threads.h>
#define L pthread_mutex_lock
#define U pthread_mutex_unlock
#define M(m) pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER
#define C(t,f,a) pthread_create(&t,0,f,a)
#define J(t) pthread_join(t,0)
#define E reach_error()
#define NB __VERIFIER_nondet_bool()
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void); extern unsigned char __VERIFIER_nondet_uchar(void); extern void abort(void);
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_assume(int);
int X,Y,q,r=9,s=9; void*T1(void*z){ _Bool c=NB; X=1; if(c) __sync_fetch_and_add(&q,1); r=Y; return 0;} void*T2(void*z){ Y=1; __sync_fetch_and_add(&q,1); s=X; return 0;}
int main(){pthread_t a,b; C(a,T1,0);C(b,T2,0);J(a);J(b); if(r==0&&s==0) E; return 0;}
