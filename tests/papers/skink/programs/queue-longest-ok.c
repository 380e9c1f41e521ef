#define SIZE 800
#include "queue-ok.c"
