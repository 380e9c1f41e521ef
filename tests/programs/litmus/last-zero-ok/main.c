#include <pthread.h>
#include <assert.h>

_Atomic int a[3];
int pos = -1;

void *reader(void *arg) {
    int i = 2;
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
    pthread_t r, t[2];
    pthread_create(&r, NULL, reader, NULL);
    for (long j = 0; j < 2; j++)
        pthread_create(&t[j], NULL, w, (void *)(j + 1));
    pthread_join(r, NULL);
    for (int j = 0; j < 2; j++)
        pthread_join(t[j], NULL);
    assert(pos >= 0 && pos <= 2);
    assert(a[1] == 1 && (a[2] == 1 || a[2] == 2));
    return 0;
}
