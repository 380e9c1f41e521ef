#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int go;
void *t(void *p) { pthread_mutex_lock(&m); go = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }
int main() { pthread_t h; pthread_create(&h, 0, t, 0);
  pthread_mutex_lock(&m);
  while (!go) pthread_cond_wait(&c, &m);
  if (go == 1) exit(0);
  pthread_mutex_unlock(&m);
  return 0; }
