/* Arithmetic whose overflow is the program's: of the runtime library only this file is compiled with the checks that
   the program is compiled with. */

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

struct lldiv imaxdiv(long long n, long long by)
{
    return lldiv(n, by);
}
