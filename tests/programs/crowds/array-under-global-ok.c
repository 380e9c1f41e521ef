#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
int x;
struct item { pthread_mutex_t m; int n; } item[64];
void *t(void *p) {
  unsigned k = (unsigned)(long)p % 64;
  pthread_mutex_lock(&a); pthread_mutex_lock(&item[k].m); item[k].n++; pthread_mutex_unlock(&item[k].m); pthread_mutex_unlock(&a);
  pthread_mutex_lock(&item[k].m); item[k].n++; pthread_mutex_unlock(&item[k].m);
  return 0;
}
int main(void) {
  for (int i = 0; i < 64; i++) pthread_mutex_init(&item[i].m, 0);
  static pthread_t h[1000];
  for (int i = 0; i < 1000; i++)
    pthread_create(&h[i], 0, t, (void *)(long)i);
  for (int i = 0; i < 1000; i++)
    pthread_join(h[i], 0);
  
  return 0;
}
