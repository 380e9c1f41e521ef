#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char text[3] = "aa";

void *writer(void *arg) {
    text[0] = 'b';
    text[1] = 'b';
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    char *copy = strdup(text);
    assert(copy[0] == copy[1]);
    free(copy);
    pthread_join(t, NULL);
    return 0;
}
