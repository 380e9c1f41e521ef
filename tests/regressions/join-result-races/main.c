#include <pthread.h>
void *res; void *sink;
void *f(void*a){ return 0; }
void *g(void*a){ sink=res; return 0; }
int main(){ pthread_t t,u; pthread_create(&t,0,f,0); pthread_create(&u,0,g,0); pthread_join(t,&res); pthread_join(u,0); return 0; }
