#include <pthread.h>
extern void reach_error(void);

int main(void) {
  int i = 1, j = 2;
  int *p = &i, *q = &j, *r = &i;
  if (p == 0 || p == q || p != r) reach_error();
  return 0;
}
