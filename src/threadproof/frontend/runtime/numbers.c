/* Bits and bytes of numbers. */

#include "runtime.h"

unsigned int htonl(unsigned int n)
{
    return __builtin_bswap32(n);
}

unsigned int ntohl(unsigned int n)
{
    return __builtin_bswap32(n);
}

unsigned short htons(unsigned short n)
{
    return __builtin_bswap16(n);
}

unsigned short ntohs(unsigned short n)
{
    return __builtin_bswap16(n);
}

int ffsll(long long n)
{
    for (int i = 0; i < 64; i++)
        if ((unsigned long long)n >> i & 1)
            return i + 1;
    return 0;
}

int ffsl(long n)
{
    return ffsll((unsigned long)n);
}

int ffs(int n)
{
    return ffsll((unsigned)n);
}
