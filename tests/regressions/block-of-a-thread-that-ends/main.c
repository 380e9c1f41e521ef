// The block is only known to the thread, which ends in a function that it calls.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int over;

static void leave_if_over(void) {
    if (over) pthread_exit(0);
}

void *work(void *unused) {
    int *block = malloc(4);
    leave_if_over();
    free(block);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    over = 1;
    pthread_join(thread, 0);
    return 0;
}
