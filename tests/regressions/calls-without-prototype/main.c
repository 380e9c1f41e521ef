#include <assert.h>

int sum(a, b) char a; int b; { return a + b; }
int three() { return 3; }
float half(x) float x; { return x / 2; }
long many(int first, ...);

int main(void) {
  int (*other)() = sum;
  float (*another)() = half;
  assert(other(5, 6) == 11 && sum('a', 3) == 100);
  assert(other(300, 1) == 45); // a char parameter
  assert(three(1, 2) == 3);    // arguments nobody takes
  assert(another(3.0) == 1.5f);
  return 0;
}
