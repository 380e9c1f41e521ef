#include <pthread.h>
#include <assert.h>

int a, b;

void *set_a(void *arg) {
    a = 1;
    return 0;
}

void *set_b(void *arg) {
    b = 2;
    return 0;
}

void *(*table[2])(void *) = {set_a, set_b};

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, table[i], NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(a == 1 && b == 2);
    return 0;
}
