#include <pthread.h>
extern void reach_error(void);

int x = 0, y = 0;
int *p = &y;
void *thread1(void *arg) { *p = 1; return 0; }
void *thread2(void *arg) { p = &x; return 0; }

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thread1, 0);
  pthread_create(&t2, 0, thread2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  if (x + y != 1) reach_error();
  return 0;
}
