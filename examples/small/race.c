/* One thread writes a word, the other reads it: nothing orders the two. */
#include <pthread.h>

int ready;

void *set(void *unused)
{
    ready = 1;
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, set, 0);
    int seen = ready;
    pthread_join(other, 0);
    return seen;
}
