#define SIZE 400
#include "stack-ok.c"
