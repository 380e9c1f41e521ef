#include <pthread.h>
extern void reach_error(void);

#ifndef SIZE
#define SIZE 5
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int stack[SIZE], top, pushed;

static void *pushes(void *arg) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        stack[top] = i;
        top++;
        pushed = 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

static void *pops(void *arg) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        if (top > 0) {
            if (top == 0)
                reach_error();
            top--;
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, pushes, 0);
    pthread_create(&t2, 0, pops, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
