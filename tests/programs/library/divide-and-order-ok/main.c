#include <arpa/inet.h>
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

int main(void) {
    div_t d = div(-7, 2);
    assert(d.quot == -3 && d.rem == -1);
    ldiv_t l = ldiv(7, -2);
    assert(l.quot == -3 && l.rem == 1);
    lldiv_t ll = lldiv(9000000000LL, 4000000000LL);
    assert(ll.quot == 2 && ll.rem == 1000000000LL);
    assert(imaxabs(-9000000000LL) == 9000000000LL);
    assert(htonl(1) == 0x01000000u && ntohl(htonl(12345)) == 12345);
    assert(htons(0x0102) == 0x0201 && ntohs(0x0201) == 0x0102);
    return 0;
}
