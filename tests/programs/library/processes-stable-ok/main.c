#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int seen;

static void *f(void *arg) {
    seen = getpid();
    return 0;
}

int main(void) {
    pthread_t t;
    int mine = getpid();
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(mine == seen && mine > 0);
    return 0;
}
