#define SIZE 200
#include "queue-ok.c"
