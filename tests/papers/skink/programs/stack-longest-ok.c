#define SIZE 1000
#include "stack-ok.c"
