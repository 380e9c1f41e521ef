/* Numbers. */

#include "runtime.h"

int abs(int n)
{
    return n < 0 ? -n : n;
}

long labs(long n)
{
    return n < 0 ? -n : n;
}

long long llabs(long long n)
{
    return n < 0 ? -n : n;
}

long long imaxabs(long long n)
{
    return llabs(n);
}

struct div { int quotient, remainder; };
struct ldiv { long quotient, remainder; };
struct lldiv { long long quotient, remainder; };

struct div div(int n, int by)
{
    return (struct div){n / by, n % by};
}

struct ldiv ldiv(long n, long by)
{
    return (struct ldiv){n / by, n % by};
}

struct lldiv lldiv(long long n, long long by)
{
    return (struct lldiv){n / by, n % by};
}

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

long long atoll(const char *text)
{
    long long value = 0;
    int negative = 0;
    while (isspace((byte)*text))
        text++;
    if (*text == '-' || *text == '+') {
        negative = *text == '-';
        text++;
    }
    for (; isdigit((byte)*text); text++)
        value = 10 * value + (*text - '0');
    return negative ? -value : value;
}

long atol(const char *text)
{
    return (long)atoll(text);
}

int atoi(const char *text)
{
    return (int)atoll(text);
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
