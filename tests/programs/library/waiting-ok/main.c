#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct pollfd entry = {0, POLLIN, 0};
    struct timespec little = {0, 1};
    struct timeval time = {0, 1};
    struct epoll_event event = {0};
    fd_set set;
    sigset_t signals;
    int number;
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &little, 0) == 0);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, 1000000000}, 0) == EINVAL);
    FD_ZERO(&set);
    FD_SET(1, &set);
    int ready = poll(&entry, 1, -1);
    assert(ready == 1 || ready == -1);
    ready = ppoll(&entry, 1, &little, 0);
    assert(ready >= -1 && ready <= 1);
    ready = select(2, &set, 0, 0, &time);
    assert(ready <= 6 && !FD_ISSET(0, &set));
    assert(pselect(0, 0, 0, 0, &little, 0) <= 0);
    int epoll = epoll_create1(0);
    epoll_create(1);
    epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &event);
    assert(epoll_wait(epoll, &event, 1, 0) <= 1);
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    assert(sigwait(&signals, &number) == 0 && number == SIGINT);
    return 0;
}
