/* Two threads set up the same table; the second overwrites the first one's. Only one is freed. */
#include <pthread.h>
#include <stdlib.h>

int *table;

void *set_up(void *unused)
{
    if (!table)
        table = calloc(4, sizeof *table);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, set_up, 0);
    set_up(0);
    pthread_join(other, 0);
    free(table);
    return 0;
}
