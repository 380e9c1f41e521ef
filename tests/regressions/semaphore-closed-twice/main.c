#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>

int main(void)
{
    int value;
    sem_t *s = sem_open("/x", O_CREAT, 0600, 1), *again = sem_open("/x", 0);
    assert(sem_close(s) == 0);
    assert(sem_post(again) == 0);
    assert(sem_close(again) == 0);
    assert(sem_close(again) == -1 && errno == EINVAL);
    s = sem_open("/x", 0);
    assert(sem_getvalue(s, &value) == 0 && value == 2);
    assert(sem_wait(s) == 0 && sem_trywait(s) == 0 && sem_trywait(s) == -1 && errno == EAGAIN);
    return 0;
}
