#define SIZE 400
#include "stack-bad.c"
