#include <pthread.h>
#include <time.h>
struct timespec t;
void *f(void *p)
{
    t.tv_nsec = 1;
    return 0;
}
int main(void)
{
    pthread_t h;
    pthread_create(&h, 0, f, 0);
    nanosleep(&t, 0);
    pthread_join(h, 0);
    return 0;
}
