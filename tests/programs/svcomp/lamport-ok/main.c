#include <pthread.h>
#include <assert.h>

int choosing[2], number[2], x;

void *thr(void *arg) {
    int i = (int)(long)arg, j = 1 - i;
    choosing[i] = 1;
    number[i] = number[j] + 1;
    choosing[i] = 0;
    while (choosing[j])
        ;
    while (number[j] != 0 && (number[j] < number[i] || (number[j] == number[i] && j < i)))
        ;
    x = i;
    assert(x == i);
    number[i] = 0;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thr, (void *)0L);
    pthread_create(&t2, NULL, thr, (void *)1L);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
