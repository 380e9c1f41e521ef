#include <stdlib.h>
#include <pthread.h>
struct __attribute__((packed)) S { char c; char *p; } s; int x;
void *f(void*a){ x=1; return 0; }
int main(){ pthread_t t; s.p = malloc(4); pthread_create(&t,0,f,0); pthread_join(t,0); free(s.p); return 0; }
