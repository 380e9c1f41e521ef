#include <pthread.h>
extern void reach_error(void);
_Atomic int x; int old=5;
void *f(void *a){ x=1; pthread_setcancelstate(PTHREAD_CANCEL_DISABLE,&old); return 0; }
int main(){ pthread_t t; pthread_create(&t,0,f,0); if(x==1 && old==5) reach_error(); return 0; }
