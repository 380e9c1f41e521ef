#include <pthread.h>
extern void reach_error(void);

#ifndef SIZE
#define SIZE 20
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int queue[SIZE], stored[SIZE], head, tail, amount, may_enqueue = 1, may_dequeue;

static void enqueue(int x) {
    queue[tail] = x;
    amount++;
    tail = tail == SIZE - 1 ? 0 : tail + 1;
}

static int dequeue(void) {
    int x = queue[head];
    amount--;
    head = head == SIZE - 1 ? 0 : head + 1;
    return x;
}

static void *fills(void *arg) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        if (may_enqueue) {
            enqueue(i);
            stored[i] = i;
            may_enqueue = 0;
            may_dequeue = 1;
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

static void *empties(void *arg) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        if (may_dequeue) {
            int x = dequeue();
            if (x != stored[x])
                reach_error();
            may_dequeue = 0;
            may_enqueue = 1;
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, fills, 0);
    pthread_create(&t2, 0, empties, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
