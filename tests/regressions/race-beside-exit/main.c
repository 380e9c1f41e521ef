#include <pthread.h>
#include <stdlib.h>
int x; void*f(void*a){exit(0);} void*g(void*a){x=1;return 0;} int main(){pthread_t t;pthread_create(&t,0,f,0);pthread_create(&t,0,g,0);x=2;pthread_join(t,0);}
