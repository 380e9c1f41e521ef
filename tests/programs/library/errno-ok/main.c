#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

extern int __xpg_strerror_r(int number, char *room, size_t size);

static void *f(void *arg) {
    assert(errno == 0);
    errno = 7;
    assert(&errno != arg);
    return 0;
}

static void texts(void) {
    char room[30];
    assert(strcmp(strerror(0), "Success") == 0);
    assert(strcmp(strerror(EINVAL), "Invalid argument") == 0);
    assert(strcmp(strerror(EBUSY), "Device or resource busy") == 0);
    assert(strcmp(strerror(133), "Memory page has hardware error") == 0);
    assert(strcmp(strerror(134), "Unknown error 134") == 0);
    assert(strcmp(strerror(-1), "Unknown error -1") == 0);
    assert(strcmp(strerror_r(41, room, sizeof room), "Unknown error 41") == 0);
    assert(strcmp(strerror_r(99999, room, 9), "Unknown ") == 0);
    assert(__xpg_strerror_r(ENOENT, room, sizeof room) == 0 && strcmp(room, "No such file or directory") == 0);
    assert(__xpg_strerror_r(ENOENT, room, 4) == ERANGE && strcmp(room, "No ") == 0);
    assert(__xpg_strerror_r(1000, room, sizeof room) == EINVAL && strcmp(room, "Unknown error 1000") == 0);
}

int main(void) {
    pthread_t t;
    assert(errno == 0);
    errno = 5;
    pthread_create(&t, NULL, f, &errno);
    pthread_join(t, NULL);
    assert(errno == 5);
    perror("text");
    perror(NULL);
    texts();
    return 0;
}
