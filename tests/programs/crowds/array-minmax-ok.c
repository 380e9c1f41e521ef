#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
struct item { pthread_mutex_t m; int n; } item[64];
void move(unsigned i, unsigned j) {
  if (i == j) return;
  unsigned low = i < j ? i : j, high = i < j ? j : i;
  pthread_mutex_lock(&item[low].m); pthread_mutex_lock(&item[high].m);
  item[i].n--; item[j].n++;
  pthread_mutex_unlock(&item[high].m); pthread_mutex_unlock(&item[low].m);
}
void *t(void *p) {
  unsigned i = (unsigned)__VERIFIER_nondet_int() % 64, j = (unsigned)__VERIFIER_nondet_int() % 64;
  move(i, j);
  return 0;
}
int main(void) {
  for (int i = 0; i < 64; i++) pthread_mutex_init(&item[i].m, 0);
  static pthread_t h[500];
  for (int i = 0; i < 500; i++)
    pthread_create(&h[i], 0, t, (void *)(long)i);
  for (int i = 0; i < 500; i++)
    pthread_join(h[i], 0);
  
  return 0;
}
