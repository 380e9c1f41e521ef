#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *other(void *unused)
{
    assert(gettid() == gettid());
    assert(gettid() != getpid());
    return unused;
}

int main(void)
{
    pthread_t thread;
    assert(getpid() != getppid());
    assert(gettid() == getpid());
    assert(syscall(SYS_gettid) == getpid());
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    return 0;
}
