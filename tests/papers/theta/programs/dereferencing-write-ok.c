#include <pthread.h>
extern void reach_error(void);

int main(void) {
  int i = 1, j = 2;
  int *r = &j, **p = &r, *q = &i;
  *p = q;
  *r = 5;
  if (i != 5 || j != 2) reach_error();
  return 0;
}
