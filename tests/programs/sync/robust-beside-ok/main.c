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
    if (pthread_mutex_lock(&m) == 0)
        x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    make(PTHREAD_MUTEX_ROBUST);
    pthread_create(&t, 0, dies, 0);
    int code = pthread_mutex_lock(&m);
    assert(code == (x ? EOWNERDEAD : 0));
    x = 2;
    if (code)
        pthread_mutex_consistent(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
