#include <stdlib.h>

int main(void) {
    char table[3] = {0, 0, 0};
    srandom(1);
    table[random() % 3] = 1;
    return 0;
}
