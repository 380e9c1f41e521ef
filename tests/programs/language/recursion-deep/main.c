#include <assert.h>
int depth(int n) { int here = n; int *p = &here; if (n == 0) return 0; return 1 + depth(*p - 1); }
int main(void) { assert(depth(1500) == 1500); return 0; }
