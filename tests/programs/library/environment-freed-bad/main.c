#include <stdlib.h>

int main(void) {
    setenv("LEVEL", "1", 1);
    free(getenv("LEVEL"));
    return 0;
}
