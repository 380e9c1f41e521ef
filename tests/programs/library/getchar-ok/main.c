#include <assert.h>
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c != EOF)
        assert(c >= 0 && c <= 255);
    else
        assert(c < 0);
    return 0;
}
