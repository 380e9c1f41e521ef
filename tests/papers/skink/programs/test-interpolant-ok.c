#include <assert.h>

int main(void) {
    int x = 0, y = 0;
    while (x < 10) {
        x++;
        y += 2;
    }
    assert(y <= 20);
    return 0;
}
