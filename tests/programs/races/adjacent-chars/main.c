#include <pthread.h>
#include <assert.h>

char s[2];

void *f(void *arg) {
    s[0] = 'a';
    return 0;
}

void *g(void *arg) {
    s[1] = 'b';
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(s[0] == 'a' && s[1] == 'b');
    return 0;
}
