/* -DBUG_IF: a wait without a loop. -DBUG_CLOSE: closing tells nobody who waits. */
#include "channel.h"

#include <stdlib.h>

#ifdef BUG_IF
#define WAIT_WHILE if
#else
#define WAIT_WHILE while
#endif

struct channel *channel_make(int capacity) {
    struct channel *c = malloc(sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->not_full, NULL);
    pthread_cond_init(&c->not_empty, NULL);
    c->slots = calloc(capacity, sizeof *c->slots);
    c->capacity = capacity;
    c->count = c->first = c->closed = 0;
    return c;
}

void channel_free(struct channel *c) {
    pthread_cond_destroy(&c->not_empty);
    pthread_cond_destroy(&c->not_full);
    pthread_mutex_destroy(&c->lock);
    free(c->slots);
    free(c);
}

int channel_send(struct channel *c, int value) {
    pthread_mutex_lock(&c->lock);
    WAIT_WHILE (c->count == c->capacity && !c->closed)
        pthread_cond_wait(&c->not_full, &c->lock);
    if (c->closed) {
        pthread_mutex_unlock(&c->lock);
        return -1;
    }
    c->slots[(c->first + c->count) % c->capacity] = value;
    c->count++;
    pthread_cond_signal(&c->not_empty);
    pthread_mutex_unlock(&c->lock);
    return 0;
}

int channel_receive(struct channel *c, int *value) {
    pthread_mutex_lock(&c->lock);
    WAIT_WHILE (c->count == 0 && !c->closed)
        pthread_cond_wait(&c->not_empty, &c->lock);
    if (c->count == 0 && c->closed) {
        pthread_mutex_unlock(&c->lock);
        return 0;
    }
    *value = c->slots[c->first];
    c->first = (c->first + 1) % c->capacity;
    c->count--;
    pthread_cond_signal(&c->not_full);
    pthread_mutex_unlock(&c->lock);
    return 1;
}

void channel_close(struct channel *c) {
    pthread_mutex_lock(&c->lock);
    c->closed = 1;
#ifndef BUG_CLOSE
    pthread_cond_broadcast(&c->not_empty);
    pthread_cond_broadcast(&c->not_full);
#endif
    pthread_mutex_unlock(&c->lock);
}
