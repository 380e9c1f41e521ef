#include <assert.h>
#include <stdio.h>

int main(void) {
    unsigned char value = 7;
    int items = scanf("%hhu", &value);
    assert(items <= 1);
    if (items == 1)
        assert(value <= 255);
    else
        assert(value == 7);
    return 0;
}
