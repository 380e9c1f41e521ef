#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int word;
int data;

void *t(void *p)
{
    data = 1;
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return 0;
}

int main(void)
{
    pthread_t h;
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 5, NULL, NULL, 0) == -1 && errno == EAGAIN);
    pthread_create(&h, 0, t, 0);
    while (word == 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    assert(data == 1);
    pthread_join(h, 0);
    return 0;
}
