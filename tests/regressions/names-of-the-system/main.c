#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(void)
{
    sem_open("/name", O_CREAT, 0600, 2);
    assert(sem_open("name", 0) != SEM_FAILED);
    assert(sem_unlink("//name") == 0);
    setenv("K", "q", 1);
    assert(getenv("K=q") == 0);
    setenv("K", "q=r", 1);
    assert(*getenv("K=q") == 'r');
    assert(getenv("") == 0);
    assert(mmap(0, 4096, PROT_READ | PROT_WRITE, 0x20, -1, 0) == MAP_FAILED && errno == EINVAL); /* MAP_ANONYMOUS */
    return 0;
}
