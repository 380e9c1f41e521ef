#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char buffer[4];

static void *thread(void *file) {
    fputc('a', file);
    write(1, buffer, 2);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, stdout);
    fputc('b', stdout);
    read(0, buffer + 2, 2);
    read(0, buffer, 1);
    pthread_join(t, 0);
    return 0;
}
