#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

static int seen[8], count, argument = 42;

static void note(int value) {
    seen[count++] = value;
}

static void first(void) {
    note(1);
}

static void late(void) {
    note(9);
}

static void registers(void) {
    note(2);
    atexit(late);
}

static void telling(int status, void *pointer) {
    note(status);
    note(*(int *)pointer);
}

__attribute__((destructor)) static void last_but_one(void) {
    note(3);
}

__attribute__((destructor(200))) static void last(void) {
    static const int wanted[] = {2, 9, 7, 42, 1, 3};
    for (int i = 0; i < 6; i++)
        assert(seen[i] == wanted[i]);
    assert(count == 6);
}

__attribute__((constructor)) static void before(void) {
    atexit(first);
}

int main(void) {
    on_exit(telling, &argument);
    atexit(registers);
    return 7;
}
