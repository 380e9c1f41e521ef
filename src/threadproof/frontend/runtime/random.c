/* Pseudo-random numbers whose sequence is fixed by their seed, as glibc computes them. */

#include "runtime.h"

int rand_r(unsigned *seed)
{
    unsigned next = *seed * 1103515245 + 12345;
    unsigned result = next / 65536 % 2048;
    for (int i = 0; i < 2; i++) {
        next = next * 1103515245 + 12345;
        result = result << 10 ^ next / 65536 % 1024;
    }
    *seed = next;
    return result;
}

/* The 48-bit generators of POSIX; those without a state of their own share this one, and race on it. */
static unsigned short shared[3];

static unsigned long long next_of(unsigned short state[3])
{
    unsigned long long value = state[2] * 0x100000000ull + state[1] * 0x10000u + state[0];
    value = (value * 0x5deece66d + 0xb) & 0xffffffffffff;
    state[0] = value;
    state[1] = value >> 16;
    state[2] = value >> 32;
    return value;
}

double erand48(unsigned short state[3])
{
    return next_of(state) / 281474976710656.0;
}

long nrand48(unsigned short state[3])
{
    return next_of(state) >> 17;
}

long jrand48(unsigned short state[3])
{
    return (int)(next_of(state) >> 16);
}

double drand48(void)
{
    return erand48(shared);
}

long lrand48(void)
{
    return nrand48(shared);
}

long mrand48(void)
{
    return jrand48(shared);
}

void srand48(long seed)
{
    shared[0] = 0x330e;
    shared[1] = seed;
    shared[2] = (unsigned long)seed >> 16;
}
