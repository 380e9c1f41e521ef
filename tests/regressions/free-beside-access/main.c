#include <pthread.h>
#include <stdlib.h>
int *p;
void *t(void *a) { free(p); return 0; }
int main() { pthread_t h; p = malloc(8); pthread_create(&h, 0, t, 0); p[1] = 1; pthread_join(h,0); return 0; }
