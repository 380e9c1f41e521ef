#include <assert.h>
#include <stdlib.h>

int main(void) {
    int tenths = 10 * atoi("1.5");
    assert(tenths == 15);
    return 0;
}
