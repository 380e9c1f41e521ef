#include <pthread.h>
#include <assert.h>

_Atomic int a[4];
int pos;

void *reader(void *arg) {
    int i = 3;
    while (a[i] != 0)
        i--;
    pos = i;
    return 0;
}

void *w(void *arg) {
    long j = (long)arg;
    a[j] = a[j - 1] + 1;
    return 0;
}

int main(void) {
    pthread_t r, t[3];
    pthread_create(&r, NULL, reader, NULL);
    for (long j = 0; j < 3; j++)
        pthread_create(&t[j], NULL, w, (void *)(j + 1));
    pthread_join(r, NULL);
    for (int j = 0; j < 3; j++)
        pthread_join(t[j], NULL);
    assert(pos != 0);
    return 0;
}
