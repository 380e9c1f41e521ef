#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
int x;
void *leaf(void *p) { pthread_mutex_lock(&a); x++; pthread_mutex_unlock(&a); return 0; }
void *t(void *p) {
  pthread_t y;
  pthread_create(&y, 0, leaf, 0);
  pthread_mutex_lock(&a); x++; pthread_join(y, 0); pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  
  static pthread_t h[300];
  for (int i = 0; i < 300; i++)
    pthread_create(&h[i], 0, t, (void *)(long)i);
  for (int i = 0; i < 300; i++)
    pthread_join(h[i], 0);
  
  return 0;
}
