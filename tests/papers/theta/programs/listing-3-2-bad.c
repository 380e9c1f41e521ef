#include <pthread.h>
extern void reach_error(void);

int main(void) {
  int i = 1;
  int *p = &i;
  *p = 2;
  if (i == 2) reach_error();
  return 0;
}
