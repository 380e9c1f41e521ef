#include <pthread.h>
#include <assert.h>
int movers;
void *f(void *a){ movers = 7; return 0; }
int main(void){ pthread_t t; pthread_create(&t,0,f,0); pthread_join(t,0); assert(movers != 7); return 0; }
