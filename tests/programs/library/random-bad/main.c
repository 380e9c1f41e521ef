#include <stdlib.h>

int main(void) {
    char table[3] = {0, 0, 0};
    table[random() % 4] = 1;
    return 0;
}
