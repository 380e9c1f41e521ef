#include <pthread.h>
extern void reach_error(void);

int main(void) {
  int i = 0;
  int *p = &i;
  int *q = &i;
  int **u = &q;
  **u = 3;
  if (*p != 3 || *q != 3 || i != 3) reach_error();
  return 0;
}
