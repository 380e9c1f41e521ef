#define SIZE 200
#include "queue-bad.c"
