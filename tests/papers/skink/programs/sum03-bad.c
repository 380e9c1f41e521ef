#include <assert.h>

int main(void) {
    unsigned x = 0, sn = 0;
    while (1) {
        if (x < 10)
            sn += 2;
        x++;
        assert(sn == 2 * x || sn == 0);
    }
}
