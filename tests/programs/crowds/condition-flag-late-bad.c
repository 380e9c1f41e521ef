#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
int x;
pthread_cond_t k = PTHREAD_COND_INITIALIZER;
int go;
void *t(void *p) {
  pthread_mutex_lock(&a);
  while (!go) pthread_cond_wait(&k, &a);
  pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  
  static pthread_t h[1000];
  for (int i = 0; i < 1000; i++)
    pthread_create(&h[i], 0, t, (void *)(long)i);
  pthread_mutex_lock(&a);
  pthread_cond_broadcast(&k);
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&a);
  go = 1;
  pthread_mutex_unlock(&a);
  for (int i = 0; i < 1000; i++)
    pthread_join(h[i], 0);
  return 0;
}
