#include <pthread.h>
#include <stdio.h>

char letter;

void *f(void *arg) {
    return letter ? arg : NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    scanf("%c", &letter);
    pthread_join(t, NULL);
    return 0;
}
