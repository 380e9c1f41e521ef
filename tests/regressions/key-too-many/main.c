#include <assert.h>
#include <pthread.h>
int main(void)
{
    pthread_key_t k;
    for (int i = 0; i < 1024; i++)
        if (pthread_key_create(&k, 0))
            return 1;
    assert(pthread_key_create(&k, 0) == 0);
    return 0;
}
