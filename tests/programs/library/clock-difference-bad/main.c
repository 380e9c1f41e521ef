#include <assert.h>
#include <stddef.h>
#include <sys/time.h>

int main(void) {
    struct timeval before, after;
    gettimeofday(&before, NULL);
    gettimeofday(&after, NULL);
    long passed = after.tv_usec - before.tv_usec;
    assert(passed >= 0);
    return 0;
}
