#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2], data;

static void *producer(void *unused) {
    data = 42;
    assert(write(ends[1], "ab", 2) == 2);
    assert(close(ends[1]) == 0);
    return 0;
}

int main(void) {
    pthread_t t;
    char text[4] = "xyz";
    assert(pipe(ends) == 0 && ends[0] == 3 && ends[1] == 4);
    pthread_create(&t, 0, producer, 0);
    assert(read(ends[0], text, 1) == 1 && text[0] == 'a' && text[1] == 'y');
    assert(data == 42);
    assert(read(ends[0], text, 4) == 1 && text[0] == 'b' && text[1] == 'y');
    assert(read(ends[0], text, 4) == 0);
    pthread_join(t, 0);
    assert(close(ends[1]) == -1 && errno == EBADF && read(ends[1], text, 1) == -1 && read(-1, text, 1) == -1);
    assert(close(ends[0]) == 0 && pipe2(ends, O_NONBLOCK) == 0 && ends[0] == 3);
    assert(read(ends[0], text, 1) == -1 && errno == EAGAIN && fcntl(ends[1], F_GETFL) == (O_WRONLY | O_NONBLOCK));
    assert(fcntl(ends[0], F_SETFL, 0) == 0 && fcntl(ends[0], F_GETFL) == 0);
    int copy = dup(ends[1]);
    assert(copy == 5 && close(ends[1]) == 0 && write(copy, "c", 1) == 1 && read(ends[0], text, 4) == 1);
    signal(SIGPIPE, SIG_IGN);
    assert(close(ends[0]) == 0 && write(copy, "c", 1) == -1 && errno == EPIPE);
    return 0;
}
