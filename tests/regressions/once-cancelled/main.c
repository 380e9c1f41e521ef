#include <assert.h>
#include <pthread.h>

pthread_once_t o = PTHREAD_ONCE_INIT, x = PTHREAD_ONCE_INIT;
int n, k;

void init(void)
{
    if (n++ == 0) {
        pthread_cancel(pthread_self());
        pthread_testcancel();
    }
}

void ends(void)
{
    if (k++ == 0)
        pthread_exit(0);
}

void *t(void *p)
{
    pthread_once(&o, init);
    return 0;
}

void *u(void *p)
{
    pthread_once(&x, ends);
    return 0;
}

int main(void)
{
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    pthread_join(h, 0);
    pthread_once(&o, init);
    pthread_create(&h, 0, u, 0);
    pthread_join(h, 0);
    pthread_once(&x, ends);
    pthread_once(&x, ends);
    assert(n == 2 && k == 2);
    return 0;
}
