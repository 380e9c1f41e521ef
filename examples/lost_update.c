/* Two threads add one to a counter. Each reads it, adds, and writes it back: if both read before either
 * writes, one addition is lost. Threadproof finds that interleaving.
 *
 *     threadproof verify examples/lost_update.c
 */
#include <assert.h>
#include <pthread.h>

int counter = 0;

void *add_one(void *unused)
{
    int seen = counter;
    counter = seen + 1;
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
