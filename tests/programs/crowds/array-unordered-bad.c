#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
struct item { pthread_mutex_t m; int n; } item[64];
void move(unsigned i, unsigned j) {
  if (i == j) return;
  pthread_mutex_lock(&item[i].m); pthread_mutex_lock(&item[j].m);
  item[i].n--; item[j].n++;
  pthread_mutex_unlock(&item[j].m); pthread_mutex_unlock(&item[i].m);
}
void *t(void *p) {
  unsigned k = (unsigned)(long)p % 4;
  if (k % 2) move(k, k - 1); else move(k, k + 1);
  return 0;
}
int main(void) {
  for (int i = 0; i < 64; i++) pthread_mutex_init(&item[i].m, 0);
  static pthread_t h[1000];
  for (int i = 0; i < 1000; i++)
    pthread_create(&h[i], 0, t, (void *)(long)i);
  for (int i = 0; i < 1000; i++)
    pthread_join(h[i], 0);
  
  return 0;
}
