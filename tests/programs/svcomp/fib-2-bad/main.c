#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

int i = 1, j = 1;

void *t_i(void *arg) {
    for (int k = 0; k < 2; k++)
        i += j;
    return 0;
}

void *t_j(void *arg) {
    for (int k = 0; k < 2; k++)
        j += i;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, t_i, NULL);
    pthread_create(&t2, NULL, t_j, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    if (i >= 8 || j >= 8)
        reach_error();
    return 0;
}
