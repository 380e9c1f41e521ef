#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int count;

static void wrong(void) {
    assert(0);
}

static void second(void) {
    assert(count == 1);
    _exit(0);
}

static void first(void) {
    count++;
}

static void *thread(void *unused) {
    quick_exit(0);
}

int main(void) {
    pthread_t t;
    atexit(wrong);
    at_quick_exit(wrong);
    at_quick_exit(second);
    at_quick_exit(first);
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    assert(0);
}
