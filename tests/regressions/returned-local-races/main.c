#include <pthread.h>

pthread_t h;

void *writes(void *p) {
    *(int *)p = 1;
    return 0;
}

int f(void) {
    int x = 0;
    pthread_create(&h, 0, writes, &x);
    return x; /* read beside the write, although nobody looks at the result */
}

int main(void) {
    f();
    pthread_join(h, 0);
    return 0;
}
