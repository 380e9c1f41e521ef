#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

int ready;

void *t(void *p)
{
    ready = 1;
    sem_post(p);
    return 0;
}

int main(void)
{
    pthread_t h;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    struct sched_param s;
    int number;
    assert(sem_unlink("/threadproof.s") == -1 && errno == ENOENT);
    assert(sem_open("/threadproof.s", 0) == SEM_FAILED && errno == ENOENT);
    sem_t *a = sem_open("/threadproof.s", O_CREAT, 0600, 0);
    assert(a != SEM_FAILED && sem_open("/threadproof.s", 0) == a);
    assert(sem_open("/threadproof.s", O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
    pthread_create(&h, 0, t, a);
    sem_wait(a);
    assert(ready == 1);
    pthread_join(h, 0);
    assert(sem_close(a) == 0 && sem_unlink("/threadproof.s") == 0);
    assert(pthread_setcanceltype(9, 0) == EINVAL);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &number) == 0 && number == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_getschedparam(pthread_self(), &number, &s) == 0 && number == SCHED_OTHER && s.sched_priority == 0);
    assert(pthread_atfork(0, 0, 0) == 0 && pthread_mutex_consistent(&m) == EINVAL);
    return 0;
}
