#include <assert.h>
#include <stdio.h>

int main(void) {
    signed char first = 0, second = 1;
    scanf("%hhd %hhd", &first, &second);
    if (first == 5)
        assert(second != 1);
    return 0;
}
