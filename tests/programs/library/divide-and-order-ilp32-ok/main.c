#include <assert.h>
#include <stdlib.h>

int main(void) {
    div_t d = div(-7, 2);
    assert(d.quot == -3 && d.rem == -1);
    ldiv_t l = ldiv(7, -2);
    assert(l.quot == -3 && l.rem == 1);
    lldiv_t ll = lldiv(9000000000LL, 4000000000LL);
    assert(ll.quot == 2 && ll.rem == 1000000000LL);
    return 0;
}
