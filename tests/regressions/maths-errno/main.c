#include <assert.h>
#include <errno.h>
#include <math.h>

int main(void)
{
    volatile double less = -1;
    errno = 0;
    sqrt(less);
    assert(errno == 0);
    return 0;
}
