#include <assert.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
    assert(atoll("-9223372036854775808") == LLONG_MIN);
    assert(atoi("99999999999999999999") == -1);
    return 0;
}
