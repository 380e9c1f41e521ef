#include <assert.h>
#include <pthread.h>
static void *f(void *p) { return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_detach(t);
    assert(pthread_detach(t) == 0);
    return 0;
}
