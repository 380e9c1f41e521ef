#include <assert.h>

int sum(a, b) char a; int b; { return a + b; }
int three() { return 3; }
float half(x) float x; { return x / 2; }
long many(int first, ...);

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
  _Bool k = __VERIFIER_nondet_bool();
  int (*other)() = k ? three : sum;
  float (*another)() = half;
  assert(k || other(5, 6) == 11);
  assert(sum('a', 3) == 100);
  assert(k || other(300, 1) == 45); // a char parameter
  assert(three(1, 2) == 3);          // arguments nobody takes
  assert(other(1, 2, 3, 4) == 3);   // through a pointer, too
  assert(another(3.0) == 1.5f);
  return 0;
}
