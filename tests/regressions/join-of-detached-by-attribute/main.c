#include <pthread.h>
int x;
void *f(void *a) { x = 1; return 0; }
int main(void)
{
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &a, f, 0);
    pthread_join(t, 0);
    x = 2;
    return 0;
}
