#include <pthread.h>
#include <unistd.h>
extern void reach_error(void);
_Atomic int x, y;
void *f(void *a){ x=1; pthread_testcancel(); y=1; return 0; }
int main(){ pthread_t t; pthread_create(&t,0,f,0); while(!x); pthread_cancel(t); pthread_join(t,0); if(!y) reach_error(); }
