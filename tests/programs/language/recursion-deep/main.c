#include <assert.h>
int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
int main(void) { assert(depth(15000) == 15000); return 0; }
