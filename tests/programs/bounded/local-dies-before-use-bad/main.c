#include <pthread.h>

pthread_t h;

void *writes(void *p) {
    *(int *)p = 1;
    return 0;
}

void *starts(void *unused) {
    int x = 0;
    pthread_create(&h, 0, writes, &x);
    return unused; /* x ends here, and the program does not */
}

int main(void) {
    pthread_t s;
    pthread_create(&s, 0, starts, 0);
    pthread_join(s, 0);
    pthread_join(h, 0);
    return 0;
}
