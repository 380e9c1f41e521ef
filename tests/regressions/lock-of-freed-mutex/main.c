#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <semaphore.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void); extern void abort(void);
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern void __VERIFIER_assume(int);

int main(){ pthread_mutex_t*m=malloc(sizeof *m); pthread_mutex_init(m,0); pthread_mutex_lock(m); pthread_mutex_unlock(m); free(m); pthread_mutex_lock(m); return 0;}
