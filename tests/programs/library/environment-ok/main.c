#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

char *seen;

static void *f(void *arg) {
    seen = getenv("LEVEL");
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    char *first = getenv("LEVEL");
    pthread_join(t, NULL);
    assert(first == seen);
    if (first)
        assert(secure_getenv("LEVEL")[0] == first[0]);
    if (!first && seen) {
        setenv("LEVEL", "1", 1);
        unsetenv("LEVEL");
        putenv("LEVEL=1");
        clearenv();
    }
    return 0;
}
