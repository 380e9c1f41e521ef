#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char text[3] = "aa";

void *writer(void *arg) {
    pthread_mutex_lock(&lock);
    text[0] = 'b';
    text[1] = 'b';
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&lock);
    char *copy = strdup(text);
    pthread_mutex_unlock(&lock);
    assert(copy[0] == copy[1]);
    free(copy);
    pthread_join(t, NULL);
    return 0;
}
