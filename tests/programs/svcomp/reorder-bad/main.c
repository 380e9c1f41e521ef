#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

int a, b;

void *setter(void *arg) {
    a = 1;
    b = -1;
    return 0;
}

void *checker(void *arg) {
    int x = a, y = b;
    if (!((x == 0 && y == 0) || (x == 1 && y == -1)))
        reach_error();
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, setter, NULL);
    pthread_create(&t2, NULL, setter, NULL);
    pthread_create(&t3, NULL, checker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
