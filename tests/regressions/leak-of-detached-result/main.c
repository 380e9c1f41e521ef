#include <pthread.h>
#include <stdlib.h>
void *f(void*a){ return malloc(4); }
int main(){ pthread_t t; pthread_create(&t,0,f,0); pthread_detach(t); pthread_exit(0); }
