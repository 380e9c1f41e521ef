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
M(m); int X,Y,p,r=9,s=9; void*T1(void*z){ _Bool c=NB; if(c) {L(&m); X=1; p=3;} else {L(&m); X=1; p=1;} r=Y; U(&m); return 0;}
void*T2(void*z){ Y=1; __sync_synchronize(); s=X; return 0;} void*T3(void*z){L(&m);p=2;U(&m);return 0;}
int main(){pthread_t a,b,d; C(a,T1,0);C(b,T2,0);C(d,T3,0);J(a);J(b);J(d); if(r==0&&s==0) E; return 0;}
