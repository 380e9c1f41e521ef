#include <string.h>

int main(void) {
    char buffer[8] = "four";
    strncat(buffer, "more", sizeof buffer);
    return 0;
}
