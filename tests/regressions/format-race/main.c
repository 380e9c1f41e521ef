#include <pthread.h>
#include <stdio.h>

char format[8] = "text";

void *f(void *arg) {
    format[0] = 'T';
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    printf(format);
    pthread_join(t, NULL);
    return 0;
}
