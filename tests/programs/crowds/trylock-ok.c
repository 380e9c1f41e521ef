#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
int x;
void *t(void *p) {
  pthread_mutex_lock(&b);
  if (pthread_mutex_trylock(&a) == 0) { x++; pthread_mutex_unlock(&a); }
  pthread_mutex_unlock(&b);
  pthread_mutex_lock(&a); pthread_mutex_lock(&b); x++; pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  
  static pthread_t h[1000];
  for (int i = 0; i < 1000; i++)
    pthread_create(&h[i], 0, t, (void *)(long)i);
  for (int i = 0; i < 1000; i++)
    pthread_join(h[i], 0);
  
  return 0;
}
