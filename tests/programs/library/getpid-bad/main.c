#include <assert.h>
#include <unistd.h>

int main(void) {
    assert(getpid() != 1);
    return 0;
}
