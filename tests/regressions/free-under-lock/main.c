#include <pthread.h>
#include <stdlib.h>
int *p; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) { pthread_mutex_lock(&m); free(p); p = 0; pthread_mutex_unlock(&m); int *q = malloc(8); q[0] = 1; free(q); return 0; }
int main() { pthread_t h; p = malloc(8); pthread_create(&h, 0, t, 0); pthread_mutex_lock(&m); if (p) p[1] = 1; pthread_mutex_unlock(&m); pthread_join(h,0); int *b = malloc(8); *b = 1; free(b); return 0; }
