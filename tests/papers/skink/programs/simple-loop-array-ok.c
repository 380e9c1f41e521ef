#include <assert.h>

int main(void) {
    int a[10], i = 0;
    while (i < 10) {
        a[i] = i;
        i++;
    }
    assert(a[9] == 9);
    return 0;
}
