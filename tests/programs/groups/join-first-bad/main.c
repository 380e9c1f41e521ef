#include <pthread.h>
void reach_error(void);
/* The first thing the second thread does is to wait: whose end that is, nobody has noted before it moves. */
int a, b;
void *first(void *p) { a = 1; return 0; }
void *second(void *p) { pthread_join((pthread_t)p, 0); b = 1; return 0; }
void *third(void *p) { if (b == 1) reach_error(); return 0; }
int main(void) {
  pthread_t t1, t2, t3;
  pthread_create(&t3, 0, third, 0);
  pthread_create(&t1, 0, first, 0);
  pthread_create(&t2, 0, second, (void *)t1);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  if (a == 7) reach_error();
  return 0;
}
