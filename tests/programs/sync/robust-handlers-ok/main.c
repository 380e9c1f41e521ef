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

static pthread_key_t key;

static void unlock(void *p) { pthread_mutex_unlock(&m); }
static void destroy(void *p) { x += pthread_mutex_lock(&m) == 0; }

static void *by_handler(void *p)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    pthread_exit(0);
    pthread_cleanup_pop(0);
}

static void *by_destructor(void *p)
{
    pthread_setspecific(key, &key);
    return 0;
}

int main(void)
{
    pthread_t t;
    make(PTHREAD_MUTEX_ROBUST);
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, by_handler, 0);
    pthread_join(t, 0);
    assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
    pthread_create(&t, 0, by_destructor, 0);
    pthread_join(t, 0);
    assert(x == 1 && pthread_mutex_lock(&m) == EOWNERDEAD);
    return 0;
}
