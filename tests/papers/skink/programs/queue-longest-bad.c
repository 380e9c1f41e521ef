#define SIZE 800
#include "queue-bad.c"
