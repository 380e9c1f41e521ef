#include <string.h>

char bytes[256];

static void put(void) {
    int local = 1, *to_local = &local;
    memcpy(bytes + 124, &to_local, sizeof to_local);
}

static int get(void) {
    int other = 2, *to_other = &other;
    memcpy(&to_other, bytes + 124, sizeof to_other);
    return *to_other;
}

int main(void) {
    put();
    return get();
}
