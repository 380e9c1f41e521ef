#include <pthread.h>
extern void reach_error(void);

int a;

static void *child(void *arg) {
    a = 5;
    for (int i = 0; i < 10; i++)
        ;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    if (a == 5)
        reach_error();
    return 0;
}
