#define _GNU_SOURCE
#include <assert.h>
#include <semaphore.h>

int x;

int main(void) {
    sem_t *named = sem_open("/name", 0);
    assert(x == 0 || x == 5);
    return 0;
}
