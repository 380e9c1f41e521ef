#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

int main(void) {
    void *slot = &slot;
    assert(posix_memalign(&slot, 3, 8) == EINVAL && posix_memalign(&slot, 0, 8) == EINVAL);
    assert(posix_memalign(&slot, 4, 8) == EINVAL && posix_memalign(&slot, 24, 8) == EINVAL);
    assert(slot == &slot && errno == 0);

    assert(memalign(-1ul, 8) == NULL && errno == EINVAL);
    char *three = memalign(3, 1), *none = memalign(0, 1);
    *three = *none = 1;
    free(none);

    errno = 0;
    char *refused = aligned_alloc(3, 1);
    assert(refused ? errno == 0 : errno == EINVAL);
    free(refused);

    assert(reallocarray(three, 1ul << 62, 8) == NULL && errno == ENOMEM);
    assert(*three == 1);
    free(three);
    return 0;
}
