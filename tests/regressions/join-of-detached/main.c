#include <pthread.h>
int x; void*f(void*a){x=1;return 0;} int main(){pthread_t t;pthread_create(&t,0,f,0);pthread_detach(t);pthread_join(t,0);x=2;}
