#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static int x;

static void make(int robust)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, robust);
    pthread_mutex_init(&m, &a);
}

static void *dies(void *p)
{
    pthread_mutex_lock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    make(PTHREAD_MUTEX_ROBUST);
    pthread_create(&t, 0, dies, 0);
    assert(pthread_mutex_lock(&m) == 0);
    return 0;
}
