#include <assert.h>
#include <pthread.h>
static int x;
static void *f(void *p)
{
    x = 1;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE);
    pthread_create(&t, &a, f, 0);
    pthread_attr_destroy(&a);
    pthread_join(t, 0);
    assert(x == 1);
    return 0;
}
