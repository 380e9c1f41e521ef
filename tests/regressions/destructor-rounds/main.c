#include <pthread.h>
extern void reach_error(void);
pthread_key_t k; 
void d(void*v){ pthread_setspecific(k,v); }
void *f(void*a){ pthread_setspecific(k,a); return 0; }
int z;
int main(){ pthread_key_create(&k,d); pthread_t t; pthread_create(&t,0,f,&z); pthread_join(t,0); reach_error(); }
