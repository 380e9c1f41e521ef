#define ROUNDS 11
#define LIMIT 46368
#include "fib-bench-bad.c"
