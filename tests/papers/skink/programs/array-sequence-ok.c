#include <assert.h>

int main(void) {
    int a[3];
    a[0] = 1;
    a[1] = a[0] + 1;
    a[2] = a[1] + a[0];
    assert(a[2] == 3);
    return 0;
}
