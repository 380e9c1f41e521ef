// posix_memalign refuses alignments that are no power of two or smaller than a pointer: EINVAL, nothing allocated.
// Nothing caught it: engines share the library model, and no program was run with the real C library.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    void *p = 0;
    assert(posix_memalign(&p, 3, 8) == 22 && posix_memalign(&p, 2, 8) == 22 && posix_memalign(&p, 0, 8) == 22);
    assert(p == 0);
    assert(posix_memalign(&p, 16, 8) == 0 && p != 0);
    free(p);
    return 0;
}
