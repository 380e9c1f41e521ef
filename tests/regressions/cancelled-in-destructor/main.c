#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int begun, ended;

void destroy(void *value)
{
    begun++;
    pthread_testcancel();
    ended++;
}

void *start(void *arg)
{
    pthread_setspecific(key, &key);
    pthread_cancel(pthread_self());
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, start, 0);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && begun == 1 && ended == 0);
    return 0;
}
