#include <pthread.h>
#include <assert.h>

_Atomic int x;
int r[3];

void *w(void *arg) {
    x = 1;
    return 0;
}

void *f(void *arg) {
    r[(long)arg] = x;
    return 0;
}

int main(void) {
    pthread_t t, s[3];
    pthread_create(&t, NULL, w, NULL);
    for (long i = 0; i < 3; i++)
        pthread_create(&s[i], NULL, f, (void *)i);
    pthread_join(t, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(s[i], NULL);
    assert(!(r[0] == 1 && r[1] == 0 && r[2] == 1));
    return 0;
}
