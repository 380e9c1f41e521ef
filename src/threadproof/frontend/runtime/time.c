/* Clocks. Those that can be set give any time; those that cannot never run backwards. */

#include "runtime.h"

enum { EINVAL = 22, CLOCKS = 12, SECOND = 1000000000 };
enum { REALTIME = 0, REALTIME_COARSE = 5, REALTIME_ALARM = 8, UNUSED = 10, TAI = 11, UTC = 1 };

struct time_pair {
    long seconds;
    long fraction;
};

/* What each clock said last; looked at in atomic blocks only. */
static struct time_pair last[CLOCKS];

/* Seconds since 1970, for centuries to come: as many as can be counted in nanoseconds without an overflow. */
static const long latest = sizeof(long) == 8 ? 0x1ffffffff : 0x7fffffff;

static long any_seconds(void)
{
    long seconds = __VERIFIER_nondet_long();
    __VERIFIER_assume(seconds >= 0 && seconds <= latest);
    return seconds;
}

static long any_fraction(long parts)
{
    long fraction = __VERIFIER_nondet_long();
    __VERIFIER_assume(fraction >= 0 && fraction < parts);
    return fraction;
}

static int any_time(struct time_pair *result, long parts)
{
    long fraction = any_fraction(parts);
    result->seconds = any_seconds();
    result->fraction = fraction;
    return 0;
}

/* In nanoseconds, as most programs compute it. */
static long long total(long seconds, long fraction)
{
    return seconds * (long long)SECOND + fraction;
}

/* The second assumption follows from the first. Solvers find that hard to see, and programs that compare readings in
   nanoseconds ask just that. */
static void later_time(struct time_pair *clock, struct time_pair *result)
{
    long fraction = any_fraction(SECOND);
    long seconds = any_seconds();
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(seconds > clock->seconds || (seconds == clock->seconds && fraction >= clock->fraction));
    __VERIFIER_assume(total(seconds, fraction) >= total(clock->seconds, clock->fraction));
    clock->seconds = seconds;
    clock->fraction = fraction;
    __VERIFIER_atomic_end();
    result->seconds = seconds;
    result->fraction = fraction;
}

long time(long *result)
{
    long now = any_seconds();
    if (result)
        *result = now;
    return now;
}

int gettimeofday(struct time_pair *result, void *zone)
{
    return result ? any_time(result, 1000000) : 0;
}

static int known(int clock)
{
    if (clock < 0)
        __threadproof_unsupported("the clock of a process or thread");
    if (clock < CLOCKS && clock != UNUSED)
        return 1;
    __threadproof_set_errno(EINVAL);
    return 0;
}

int clock_gettime(int clock, struct time_pair *result)
{
    if (!known(clock))
        return -1;
    if (clock == REALTIME || clock == REALTIME_COARSE || clock == REALTIME_ALARM || clock == TAI)
        return any_time(result, SECOND);
    later_time(&last[clock], result);
    return 0;
}

int clock_getres(int clock, struct time_pair *result)
{
    if (!known(clock))
        return -1;
    if (result) {
        result->seconds = 0;
        result->fraction = clock == REALTIME_COARSE || clock == REALTIME_COARSE + 1 ? 4000000 : 1;
    }
    return 0;
}

int timespec_get(struct time_pair *result, int base)
{
    if (base != UTC)
        return 0;
    any_time(result, SECOND);
    return base;
}

/* The processor time used, or -1 if it is not known. */
long clock(void)
{
    static long used;
    long now = __VERIFIER_nondet_long();
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(now >= used || now == -1);
    if (now != -1)
        used = now;
    __VERIFIER_atomic_end();
    return now;
}
