#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert(!(a.tv_sec == 0x1fffffffe && a.tv_nsec == 999999999 && b.tv_sec == 0x1ffffffff && b.tv_nsec == 0));
    return 0;
}
