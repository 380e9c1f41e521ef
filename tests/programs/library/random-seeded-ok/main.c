#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

int main(void) {
    unsigned seed = 5;
    unsigned short state[3] = {1, 2, 3};
    assert(rand_r(&seed) == 234104184 && rand_r(&seed) == 1214203244 && seed == 3849114727u);
    assert(lrand48() == 0 && mrand48() == 4232237);
    srand48(7);
    assert(lrand48() == 572184555);
    assert(drand48() == 0x1.5d33b8c0c6fp-1);
    assert(nrand48(state) == 949179875);
    assert(jrand48(state) == 1130126687);
    assert(erand48(state) == 0x1.4eeb35863be4p-1);
    return 0;
}
