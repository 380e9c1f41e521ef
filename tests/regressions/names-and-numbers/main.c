#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
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
    sem_open("/name", O_CREAT, 0600, 2);
    assert(sem_open("name", 0) != SEM_FAILED);
    assert(sem_unlink("//name") == 0);
    setenv("K", "q", 1);
    assert(getenv("K=q") == 0);
    setenv("K", "q=r", 1);
    assert(*getenv("K=q") == 'r');
    assert(getenv("") == 0);
    assert(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
    assert(getpid() != getppid());
    assert(gettid() == getpid());
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    return 0;
}
