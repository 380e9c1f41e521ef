#include <assert.h>
#include <stdio.h>

int main(void) {
    if (printf("text\n") < 0)
        assert(fflush(stdout) == 0);
    return 0;
}
