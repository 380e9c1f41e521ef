#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    getpid();
    srand(getpid());
    int x = 1;
    assert(x == 1);
    return 0;
}
