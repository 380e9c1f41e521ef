#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int x;

int main(void) {
    execve("/bin/true", NULL, NULL);
    assert(x == 0 || x == 5);
    return 0;
}
