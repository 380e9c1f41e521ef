/* Time: any. */

#include "runtime.h"

struct time_pair {
    long seconds;
    long fraction;
};

static int any_time(struct time_pair *result, long parts)
{
    long fraction = __VERIFIER_nondet_long();
    __VERIFIER_assume(fraction >= 0 && fraction < parts);
    result->seconds = __VERIFIER_nondet_long();
    result->fraction = fraction;
    return 0;
}

long time(long *result)
{
    long now = __VERIFIER_nondet_long();
    if (result)
        *result = now;
    return now;
}

int gettimeofday(struct time_pair *result, void *zone)
{
    return any_time(result, 1000000);
}

int clock_gettime(int clock, struct time_pair *result)
{
    return any_time(result, 1000000000);
}
