#include <pthread.h>
#include <stdlib.h>
int main(void)
{
    pthread_rwlock_t *l = malloc(sizeof *l - 8);
    pthread_rwlock_init(l, 0);
    free(l);
    return 0;
}
