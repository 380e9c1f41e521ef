#include <pthread.h>
void reach_error(void);
int a, b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *ta(void *x) { for (int i = 0; i < 3; i++) { int t = a; a = t + 1; } return 0; }
void *tb(void *x) { for (int i = 0; i < 3; i++) { pthread_mutex_lock(&m); int t = b; b = t + 1; pthread_mutex_unlock(&m);} return 0; }
int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, ta, 0); pthread_create(&t[1], 0, ta, 0);
  pthread_create(&t[2], 0, tb, 0); pthread_create(&t[3], 0, tb, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  if (b != 6) reach_error();
  if (a == 1) reach_error();
}
