// As stack_s, but what tells that there is something is never taken back.
#include <assert.h>
#include <pthread.h>

#define SIZE 5

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

unsigned stack[SIZE];
int top, filled;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int push(unsigned x) {
    if (top == SIZE)
        return -1;
    stack[top] = x;
    top++;
    return 0;
}

int pop(unsigned *x) {
    if (top == 0)
        return -2;
    top--;
    *x = stack[top];
    return 0;
}

void *pushes(void *arg) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        unsigned x = __VERIFIER_nondet_uint();
        __VERIFIER_assume(x < SIZE);
        assert(push(x) != -1);
        filled = 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *pops(void *arg) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        if (filled) {
            unsigned x;
            assert(pop(&x) != -2);
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pushes, 0);
    pthread_create(&b, 0, pops, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
