#include <pthread.h>
#include <stdlib.h>
int *p;
void *t(void *a) { free(p); return 0; }
int main(void) { pthread_t h, g; p = malloc(4); pthread_create(&h, 0, t, 0); pthread_create(&g, 0, t, 0); pthread_join(h, 0); pthread_join(g, 0); return 0; }
