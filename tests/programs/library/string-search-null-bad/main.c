#include <string.h>

static char value_of(const char *text) {
    return strstr(text, "=")[1];
}

int main(void) {
    return value_of("key");
}
