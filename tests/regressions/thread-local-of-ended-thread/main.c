#include <pthread.h>
_Thread_local int tl; int *p;
void *f(void*a){ p=&tl; *p=5; return 0; }
int main(){ pthread_t t; pthread_create(&t,0,f,0); pthread_join(t,0); return *p; }
