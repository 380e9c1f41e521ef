#include <pthread.h>
int main(void)
{
    pthread_cond_t *c = 0;
    pthread_cond_init(c, 0);
    return 0;
}
