// Figures 2.1 and 2.3 of the thesis: two threads, each asks for the other's variable.
#include <pthread.h>

int x;
int y;

void *t1(void *arg) {
  int i = 0;
  x = 1;
  if (y == 1) { i = 42; }
  return (void *)(long)i;
}

void *t2(void *arg) {
  int j = 0;
  y = 1;
  if (x == 1) { j = 42; }
  return (void *)(long)j;
}

int main() {
  pthread_t id1, id2;
  pthread_create(&id1, ((void *)0), t1, ((void *)0));
  pthread_create(&id2, ((void *)0), t2, ((void *)0));
  return 0;
}
