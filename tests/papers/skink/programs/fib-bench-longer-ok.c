#define ROUNDS 6
#define LIMIT 377
#include "fib-bench-ok.c"
