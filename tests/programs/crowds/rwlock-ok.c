#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
int x;
pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
void *t(void *p) {
  if ((long)p % 7) { pthread_rwlock_rdlock(&r); pthread_mutex_lock(&a); x++; pthread_mutex_unlock(&a); pthread_rwlock_unlock(&r); }
  else { pthread_rwlock_wrlock(&r); x = 0; pthread_rwlock_unlock(&r); }
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
