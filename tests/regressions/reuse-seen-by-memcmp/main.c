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
int main(){ int*p=malloc(4); int *s=p; free(p); int*q=malloc(4); if(memcmp(&s,&q,sizeof s)==0) E; return 0;}
