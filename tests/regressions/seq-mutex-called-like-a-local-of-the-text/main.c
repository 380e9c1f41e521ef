#include <pthread.h>
#include <assert.h>
pthread_mutex_t m1; int x, y;
void *f(void *a){ y = 1; pthread_mutex_lock(&m1); assert(x != 1); pthread_mutex_unlock(&m1); return 0; }
void *g(void *a){ x = 1; x = 2; return 0; }
int main(void){ pthread_t t,u; pthread_create(&t,0,f,0);pthread_create(&u,0,g,0); int z = y; (void)z; pthread_exit(0); }
