#include <assert.h>

int main(void) {
    int a[10];
    for (int i = 0; i < 5; i++)
        a[i] = i;
    assert(a[4] == 4);
    return 0;
}
