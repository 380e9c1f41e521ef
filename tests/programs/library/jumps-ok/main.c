#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>

extern void __longjmp_chk(jmp_buf, int) __attribute__((noreturn));
static _Thread_local jmp_buf place;
static jmp_buf outer, inner;
int total, x;

static int deep(int n, int code) {
    if (n == 0)
        longjmp(place, code);
    return deep(n - 1, code) + n;
}

static int attempt(int code) {
    volatile int tries = 0;
    int result = setjmp(place);
    if (result == 0) {
        tries++;
        deep(2, code);
        assert(0);
    }
    assert(tries == 1);
    return result;
}

void *worker(void *arg) {
    __atomic_fetch_add(&total, attempt(3), __ATOMIC_SEQ_CST);
    return 0;
}

static void jump(int n, ...) {
    va_list list;
    va_start(list, n);
    int value = va_arg(list, int);
    va_end(list);
    _longjmp(inner, value);
}

void __VERIFIER_atomic_step(void) {
    x++;
    if (x)
        longjmp(inner, 4); /* the atomic block ends on the way */
    x = 99;
}

static struct triple { long a, b, c; } give(int leave) {
    if (leave)
        __longjmp_chk(outer, 9);
    return (struct triple){1, 2, 3};
}

static int nested(int size) {
    int data[size];
    data[0] = 8;
    int got = _setjmp(inner);
    if (got == 0)
        jump(1, 5);
    if (got == 5)
        jump(2, 6, 7);
    if (got == 6)
        __VERIFIER_atomic_step();
    assert(got == 4 && x == 1 && data[0] == 8);
    return give(0).c + give(1).a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(attempt(0) == 1 && attempt(5) == 5);
    int before = x + 7, got, round;
    if ((got = before + setjmp(outer)) == 7) {
        nested(2);
        assert(0);
    }
    assert(got == 16);
    pthread_join(t, 0);
    assert(total == 3);
    round = setjmp(outer);
    if (round < 3)
        longjmp(outer, round + 1);
    assert(round == 3);
    return 0;
}
