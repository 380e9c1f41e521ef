#include <assert.h>
#include <pthread.h>

int order;
pthread_key_t key;

void one(void *p) { order = order * 10 + *(int *)p; }
void last(void *p) { order = order * 10 + 9; }

void *cancelled(void *p)
{
    int a = 1, b = 2, c = 3;
    pthread_setspecific(key, p);
    pthread_cleanup_push(one, &a);
    pthread_cleanup_push(one, &b);
    pthread_cleanup_push(one, &c);
    pthread_cleanup_pop(0);
    pthread_cancel(pthread_self());
    pthread_testcancel();
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(0);
    return 0;
}

void leave(void)
{
    int d = 4;
    pthread_cleanup_push(one, &d);
    pthread_exit(0);
    pthread_cleanup_pop(0);
}

void *exits(void *p)
{
    int a = 1;
    pthread_cleanup_push(one, &a);
    leave();
    pthread_cleanup_pop(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_key_create(&key, last);
    pthread_create(&t, 0, cancelled, &order);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && order == 219);
    order = 0;
    pthread_create(&t, 0, exits, 0);
    pthread_join(t, 0);
    assert(order == 41);
    return 0;
}
