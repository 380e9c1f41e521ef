#include <assert.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    struct timespec precise;
    struct timeval coarse;
    assert(clock_gettime(CLOCK_REALTIME, &precise) == 0);
    assert(gettimeofday(&coarse, NULL) == 0);
    return 0;
}
