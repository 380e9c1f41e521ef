#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

void *writes(void *p) {
    *(int *)p = 1;
    return 0;
}

int main(void) {
    pthread_t h;
    int x = 0;
    if (__VERIFIER_nondet_bool())
        for (int i = 0; i < 2; i++) {
            int y = 0;
            if (i) {
                pthread_create(&h, 0, writes, &y);
                return 3; /* out of two blocks */
            }
        }
    pthread_create(&h, 0, writes, &x);
    return 0;
}
