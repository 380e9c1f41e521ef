/* The counter of lost_update.c, done right: a mutex makes reading and writing one piece.
 *
 *     threadproof verify examples/mutex.c --property unreach-call --property no-data-race
 */
#include <assert.h>
#include <pthread.h>

int counter = 0;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add_one(void *unused)
{
    pthread_mutex_lock(&lock);
    int seen = counter;
    counter = seen + 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, add_one, 0);
    pthread_create(&second, 0, add_one, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2);
    return 0;
}
