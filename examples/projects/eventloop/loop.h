/* An event loop that other threads wake by a byte in a pipe. */
#ifndef LOOP_H
#define LOOP_H

#include <pthread.h>

#define EVENTS 2

struct loop {
    int pipe[2];
    pthread_mutex_t lock;
    int events[EVENTS], count;
    int handled;
};

int loop_init(struct loop *l);
void loop_post(struct loop *l, int event);
/* Handles `wanted` events. */
void loop_run(struct loop *l, int wanted);

#endif
