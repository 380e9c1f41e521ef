#include <pthread.h>
extern void reach_error(void);
pthread_key_t k,l; int n,c;
void d(void*v){ if(++n<3) pthread_setspecific(k,v); }
void e(void*v){ c=n; }
void *f(void*a){ pthread_setspecific(k,a); pthread_setspecific(l,a); return 0; }
int z;
int main(){ pthread_key_create(&k,d); pthread_key_create(&l,e); pthread_t t; pthread_create(&t,0,f,&z); pthread_join(t,0); if(c>1) reach_error(); return 0; }
