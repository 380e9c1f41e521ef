#include <assert.h>
#include <pthread.h>

#define N 2

_Atomic int flag[2], turn;
int c;

void *worker(void *arg) {
    int i = (int)(long)arg;
    flag[i] = 1;
    turn = 1 - i;
    while (flag[1 - i] == 1 && turn == 1 - i)
        ;
    c++;
    flag[i] = 0;
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(c == 2);
    return 0;
}
