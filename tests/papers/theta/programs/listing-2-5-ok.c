#include <pthread.h>
extern void reach_error(void);

int x = 0;
void *thread1(void *arg) { x = 1; return 0; }
void *thread2(void *arg) { x = 2; return 0; }

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thread1, 0);
  pthread_create(&t2, 0, thread2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  if (x != 1 && x != 2) reach_error();
  return 0;
}
