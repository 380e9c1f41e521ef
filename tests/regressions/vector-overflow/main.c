#include <limits.h>

typedef int four __attribute__((vector_size(16)));

int main(void) {
    four a = {INT_MAX, 1, 1, 1};
    a = a + 1;
    return a[0];
}
