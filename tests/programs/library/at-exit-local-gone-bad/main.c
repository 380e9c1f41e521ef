#include <stdlib.h>

static int *shown;

static void handler(void) {
    *shown += 1;
}

int main(void) {
    int local = 0;
    shown = &local;
    atexit(handler);
    return 0;
}
