#include <pthread.h>
#include <assert.h>
int x; void*f(void*a){ x=1; return 0; }
int main(){pthread_t t;pthread_attr_t at;pthread_attr_init(&at);pthread_attr_setdetachstate(&at,PTHREAD_CREATE_DETACHED);
 pthread_create(&t,&at,f,0);pthread_join(t,0);assert(x);}
