#include <pthread.h>
#include <strings.h>

char shared[4] = "abc";
char other[4] = "abc";

void *clear(void *arg) {
    bzero(shared, sizeof shared);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, clear, NULL);
    int same = bcmp(shared, other, sizeof shared) == 0;
    pthread_join(t, NULL);
    return same;
}
