#include <pthread.h>
struct item { pthread_mutex_t m; int n; } item[64];
void *t(void *p) {
  unsigned k = (unsigned)(long)p;
  pthread_mutex_lock(&item[k].m); pthread_mutex_lock(&item[(k + 1) % 16].m);
  item[k].n++;
  pthread_mutex_unlock(&item[(k + 1) % 16].m); pthread_mutex_unlock(&item[k].m);
  return 0;
}
int main(void) {
  for (int i = 0; i < 16; i++) pthread_mutex_init(&item[i].m, 0);
  static pthread_t h[16];
  for (int i = 0; i < 16; i++)
    pthread_create(&h[i], 0, t, (void *)(long)i);
  for (int i = 0; i < 16; i++)
    pthread_join(h[i], 0);
  
  return 0;
}
