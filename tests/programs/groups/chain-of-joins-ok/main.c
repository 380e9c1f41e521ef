#include <pthread.h>
void reach_error(void);
/* Each waits for the end of the one before, and only then touches what that one wrote. */
int a, b, c;
pthread_t t1, t2, t3;
void *first(void *p) { a = 1; b = 1; return 0; }
void *second(void *p) { pthread_join(t1, 0); if (a != 1) reach_error(); a = 2; return 0; }
void *third(void *p) { c = 1; pthread_join(t2, 0); if (a != 2 || b != 1) reach_error(); return 0; }
int main(void) {
  pthread_create(&t1, 0, first, 0);
  pthread_create(&t2, 0, second, 0);
  pthread_create(&t3, 0, third, 0);
  pthread_join(t3, 0);
  if (a != 2 || c != 1) reach_error();
  return 0;
}
