#include <assert.h>

int main(void) {
    int sn = 0;
    for (int i = 1; i <= 8; i++)
        sn += 2;
    assert(sn == 16 || sn == 0);
    return 0;
}
