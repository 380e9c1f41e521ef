#include <fcntl.h>
#include <semaphore.h>

int main(void)
{
    sem_t *s = sem_open("/x", O_CREAT, 0600, 1);
    if (s == SEM_FAILED)
        return 0;
    sem_close(s);
    sem_wait(s);
    return 0;
}
