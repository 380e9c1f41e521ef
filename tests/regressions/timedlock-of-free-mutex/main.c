#include <assert.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void)
{
    struct timespec t = {0, 0};
    assert(pthread_mutex_timedlock(&m, &t) == 0);
    return 0;
}
