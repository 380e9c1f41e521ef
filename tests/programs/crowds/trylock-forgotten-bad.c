#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
int x;
void *t(void *p) {
  int got = pthread_mutex_trylock(&a);
  if (got != 0) return 0;
  x++;
  if (x < 3) pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  
  static pthread_t h[40];
  for (int i = 0; i < 40; i++)
    pthread_create(&h[i], 0, t, (void *)(long)i);
  for (int i = 0; i < 40; i++)
    pthread_join(h[i], 0);
  pthread_mutex_lock(&a); pthread_mutex_unlock(&a);
  return 0;
}
