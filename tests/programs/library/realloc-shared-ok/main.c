#include <pthread.h>
#include <stdlib.h>
#include <assert.h>

int *list;
int used;
pthread_mutex_t m;

void *append(void *arg) {
    pthread_mutex_lock(&m);
    int at = used;
    used = at + 1;
    list = realloc(list, (at + 1) * sizeof(int));
    list[at] = 5;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    list = malloc(sizeof(int));
    list[0] = 3;
    used = 1;
    pthread_create(&a, 0, append, 0);
    pthread_create(&b, 0, append, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(used == 3 && list[0] == 3);
    return 0;
}
