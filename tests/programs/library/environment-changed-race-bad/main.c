#include <pthread.h>
#include <stdlib.h>

static void *f(void *arg) {
    setenv("LEVEL", "1", 1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    getenv("LEVEL");
    pthread_join(t, NULL);
    return 0;
}
