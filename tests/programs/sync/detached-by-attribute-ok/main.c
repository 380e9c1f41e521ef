#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
static int x;
static sem_t done;
static void *detached(void *p)
{
    x++;
    sem_post(&done);
    return 0;
}
static void *joinable(void *p)
{
    sem_wait(&done);
    x++;
    return 0;
}
int main(void)
{
    pthread_t t, u;
    pthread_attr_t a;
    sem_init(&done, 0, 0);
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &a, detached, 0);
    assert(pthread_detach(t) == EINVAL);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE);
    pthread_create(&u, &a, joinable, 0);
    assert(pthread_join(u, 0) == 0 && x == 2);
    return 0;
}
