#include <pthread.h>
#include <stdio.h>

char text[2] = "a";

void *f(void *arg) {
    text[0] = 'b';
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    fprintf(stdout, "%s\n", text);
    pthread_join(t, NULL);
    return 0;
}
