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
M(m); pthread_cond_t c=PTHREAD_COND_INITIALIZER; int x; void*A(void*z){for(int i=0;i<2;i++){L(&m);x++;pthread_cond_signal(&c);U(&m);}return 0;}
int main(){pthread_t p; L(&m); C(p,A,0); while(x<2){int v=x; pthread_cond_wait(&c,&m); if(x-v>1) goto out;} E; out: return 0;}
