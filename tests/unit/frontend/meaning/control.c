#include <assert.h>

int before;
_Thread_local int mine = 7;
struct three { int a, b, c; };
_Atomic struct three whole;

__attribute__((constructor)) static void early(void) { before = 5; }
static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static int old_style(a, b) int a; char b; { return a * b; }

static int choose(int x)
{
    switch (x) {
    case 0: return 10;
    case 1:
    case 2: return 20;
    case -5: return 30;
    case 1000: x++; /* falls through */
    default: return x;
    }
}

static int computed(int k)
{
    static void *labels[] = { &&a, &&b, &&c };
    int r = 0;
    goto *labels[k];
a:
    r += 1;
b:
    r += 10;
c:
    r += 100;
    return r;
}

int main(void)
{
    assert(before == 5);
    assert(mine++ == 7 && mine == 8);
    assert(factorial(10) == 3628800);
    assert(choose(0) == 10 && choose(2) == 20 && choose(-5) == 30 && choose(1000) == 1001 && choose(9) == 9);
    assert(computed(0) == 111 && computed(1) == 110 && computed(2) == 100);
    assert(old_style(6, 7) == 42);
    struct three t = { 1, 2, 3 };
    whole = t;
    t.b = 9;
    struct three u = whole;
    assert(u.b == 2 && u.c == 3);
    int a = 3, b = 7;
    __asm__ volatile("xchgl %0, %1" : "+r"(a), "+m"(b));
    assert(a == 7 && b == 3);
    __asm__ volatile("lock; addl %1,%0" : "+m"(b) : "ir"(a));
    assert(b == 10);
}
