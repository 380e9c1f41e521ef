#include <pthread.h>
#include <semaphore.h>
sem_t s; int v; int w;
void *f(void*a){ w=v; return 0; }
int main(){ pthread_t t; sem_init(&s,0,1); pthread_create(&t,0,f,0); sem_getvalue(&s,&v); pthread_join(t,0); return 0; }
