#include <pthread.h>
extern void reach_error(void);

int main(void) {
  int i = 1, j = 2;
  int *r = &j, **q = &r, *p = &i;
  p = *q;
  *p = 5;
  if (i != 1 || j != 5) reach_error();
  return 0;
}
