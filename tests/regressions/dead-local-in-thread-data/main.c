#include <pthread.h>
static pthread_key_t key;
static void keep(int *r) { pthread_setspecific(key, r); }
int main(void) {
  pthread_key_create(&key, 0);
  for (int i = 0; i < 2; i++) {
    int v = i;
    int *p = pthread_getspecific(key);
    if (p) *p = 5;
    keep(&v);
  }
  return 0;
}
