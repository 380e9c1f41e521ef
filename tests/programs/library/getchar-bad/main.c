#include <assert.h>
#include <stdio.h>

int main(void) {
    int c = getchar();
    signed char kept = (signed char)c;
    assert((kept == EOF) == (c == EOF));
    return 0;
}
