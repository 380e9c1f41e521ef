#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event, data;

static void *thread(void *unused) {
    data = 1;
    assert(eventfd_write(event, 2) == 0);
    return 0;
}

int main(void) {
    pthread_t t;
    eventfd_t value;
    uint64_t one = 1;
    event = eventfd(0, 0);
    assert(event == 3);
    pthread_create(&t, 0, thread, 0);
    assert(eventfd_read(event, &value) == 0 && value == 2 && data == 1);
    pthread_join(t, 0);
    assert(write(event, &one, 8) == 8 && write(event, &one, 8) == 8 && read(event, &value, 8) == 8 && value == 2);
    assert(read(event, &value, 4) == -1 && errno == EINVAL && close(event) == 0);
    event = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
    assert(eventfd_read(event, &value) == 0 && value == 1 && eventfd_read(event, &value) == 0);
    assert(eventfd_read(event, &value) == -1 && errno == EAGAIN);
    return 0;
}
