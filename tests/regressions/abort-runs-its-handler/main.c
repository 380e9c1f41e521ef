#include <assert.h>
#include <signal.h>
#include <stdlib.h>

static void handler(int number) {
    assert(0);
}

int main(void) {
    signal(SIGABRT, handler);
    abort();
}
