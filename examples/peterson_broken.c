/* Peterson's lock for two threads, with its two first lines the wrong way round: a thread says whose turn it
 * is before it says that it wants to enter. Then both can get in: the second one sees no flag, and the first
 * one sees that it is its turn.
 *
 *     threadproof verify examples/peterson_broken.c
 *     threadproof simulate examples/peterson_broken.c
 */
#include <assert.h>
#include <pthread.h>

int wants[2];
int turn;
int inside;

void *worker(void *argument)
{
    int me = argument != 0, other = 1 - me;
    turn = other; /* one line too early */
    wants[me] = 1;
    while (wants[other] && turn == other)
        ;
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    wants[me] = 0;
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, (void *)0);
    pthread_create(&second, 0, worker, (void *)1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
