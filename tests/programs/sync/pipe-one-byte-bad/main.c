#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *thread(void *unused) {
    char c;
    if (read(ends[0], &c, 1) == 1)
        assert(c == 'b');
    return 0;
}

int main(void) {
    pthread_t t[2];
    pipe(ends);
    pthread_create(&t[0], 0, thread, 0);
    pthread_create(&t[1], 0, thread, 0);
    write(ends[1], "b", 1);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
