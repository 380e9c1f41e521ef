// Figure 4.2 of the thesis: a function, its parameter and its result.
#include <stdio.h>

int x = 21;
int is_even(int);
int main();
int is_even(int z) { return z % 2 == 0; }
int main(void) {
  int y = 21;
  if (is_even(x + y)) { printf("even"); }
  else { printf("odd"); }
  return 0;
}
