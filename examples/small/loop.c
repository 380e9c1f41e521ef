/* The flag is set when a hundred are counted: whoever sees the flag sees the hundred. */
#include <assert.h>
#include <pthread.h>

int counted, done;

void *count(void *unused)
{
    for (int i = 0; i < 100; i++)
        counted++;
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, count, 0);
    if (done)
        assert(counted == 100);
    return 0;
}
