#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int flag;

void *f(void *arg) {
    assert(flag == 0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    flag = 1;
    _exit(0);
}
