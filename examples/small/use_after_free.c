/* The reader asks whether the message is still there, and uses it a moment later. */
#include <pthread.h>
#include <stdlib.h>

int *message;

void *reader(void *unused)
{
    if (message)
        *message += 1;
    return unused;
}

int main(void)
{
    pthread_t other;
    message = malloc(sizeof *message);
    *message = 0;
    pthread_create(&other, 0, reader, 0);
    int *mine = message;
    message = 0;
    free(mine);
    pthread_join(other, 0);
    return 0;
}
