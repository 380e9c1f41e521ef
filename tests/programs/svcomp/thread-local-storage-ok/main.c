#include <pthread.h>
#include <assert.h>

static _Thread_local int mine = 10;
int results[2];

void bump(void) {
    static _Thread_local int calls;
    calls++;
    mine += calls;
}

void *thr(void *arg) {
    bump();
    bump();
    results[(long)arg] = mine;
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thr, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(results[0] == 13 && results[1] == 13 && mine == 10);
    return 0;
}
