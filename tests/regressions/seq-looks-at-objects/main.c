#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_cond_t *condition = malloc(sizeof *condition);
    pthread_cond_init(condition, NULL);
    free(condition);
    pthread_cond_destroy(condition);
    return 0;
}
