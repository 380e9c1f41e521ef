#define SIZE 1000
#include "stack-bad.c"
