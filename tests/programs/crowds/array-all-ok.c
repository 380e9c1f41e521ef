#include <pthread.h>
struct item { pthread_mutex_t m; int n; } item[64];
void *t(void *p) {
  for (int i = 0; i < 8; i++) pthread_mutex_lock(&item[i].m);
  for (int i = 0; i < 8; i++) pthread_mutex_unlock(&item[i].m);
  return 0;
}
int main(void) {
  for (int i = 0; i < 8; i++) pthread_mutex_init(&item[i].m, 0);
  static pthread_t h[1000];
  for (int i = 0; i < 1000; i++)
    pthread_create(&h[i], 0, t, (void *)(long)i);
  for (int i = 0; i < 1000; i++)
    pthread_join(h[i], 0);
  
  return 0;
}
