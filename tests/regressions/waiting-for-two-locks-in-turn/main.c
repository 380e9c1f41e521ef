#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <semaphore.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void); extern void abort(void);
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_assume(int);

pthread_mutex_t m1=PTHREAD_MUTEX_INITIALIZER,m2=PTHREAD_MUTEX_INITIALIZER; int a; atomic_int b;
void*A(void*z){pthread_mutex_lock(&m1);if(b) a=1;pthread_mutex_unlock(&m1);return 0;}
void*B(void*z){pthread_mutex_lock(&m2);b=1;pthread_mutex_unlock(&m2);return 0;}
int main(){ pthread_t p,q; pthread_mutex_lock(&m1);pthread_mutex_lock(&m2); pthread_create(&p,0,A,0);pthread_create(&q,0,B,0);
 while(!a){ pthread_mutex_unlock(&m1);pthread_mutex_lock(&m1); pthread_mutex_unlock(&m2);pthread_mutex_lock(&m2); }
 reach_error(); return 0;}
