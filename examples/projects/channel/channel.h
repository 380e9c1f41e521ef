/* A bounded channel of integers: senders wait while it is full, receivers while it is empty. */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <pthread.h>

struct channel {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    int *slots;
    int capacity, count, first;
    int closed;
};

struct channel *channel_make(int capacity);
void channel_free(struct channel *c);
/* 0, or -1 if the channel is closed. */
int channel_send(struct channel *c, int value);
/* 1 and a value, or 0 once the channel is closed and empty. */
int channel_receive(struct channel *c, int *value);
void channel_close(struct channel *c);

#endif
