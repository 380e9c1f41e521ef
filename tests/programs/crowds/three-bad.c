#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
int x;
void *one(void *p) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); x++; pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0; }
void *two(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&c); x++; pthread_mutex_unlock(&c); pthread_mutex_unlock(&b); return 0; }
void *three(void *p) { pthread_mutex_lock(&c); pthread_mutex_lock(&a); x++; pthread_mutex_unlock(&a); pthread_mutex_unlock(&c); return 0; }
int main(void) {
  static pthread_t h[300];
  for (int i = 0; i < 300; i++) pthread_create(&h[i], 0, i % 3 == 0 ? one : i % 3 == 1 ? two : three, 0);
  for (int i = 0; i < 300; i++) pthread_join(h[i], 0);
}
