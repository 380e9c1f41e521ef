#include <pthread.h>
#include <stdlib.h>
int main(void)
{
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    free(m);
    pthread_mutex_destroy(m);
    return 0;
}
