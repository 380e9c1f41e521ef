#include <pthread.h>
#include <assert.h>

volatile unsigned next_ticket, now_serving;
int count;

void *thr(void *arg) {
    unsigned t = next_ticket++;
    while (now_serving != t)
        ;
    count++;
    assert(count == 1);
    count--;
    now_serving++;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thr, NULL);
    pthread_create(&t2, NULL, thr, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
