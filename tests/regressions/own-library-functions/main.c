#include <assert.h>

int abs(int x) { return 7; }
double floor(double x) { return 3.0; }
void *memset(void *p, int c, __SIZE_TYPE__ n) { return 0; }
__SIZE_TYPE__ strlen(const char *s) { return 99; }
int printf(const char *format, ...) { return 42; }

int main(void) {
  char text[4] = {1, 2, 3, 0};
  assert(abs(-1) == 7);
  assert(floor(1.5) == 3.0);
  assert(memset(text, 0, 4) == 0 && text[0] == 1);
  assert(strlen("abc") == 99);
  assert(printf("x") == 42);
  return 0;
}
