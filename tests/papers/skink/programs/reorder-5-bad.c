#define SETS 4
#define CHECKS 1
#include "reorder-2-bad.c"
