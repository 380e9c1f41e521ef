/* -DBUG_OUTSIDE: callbacks are called after the mutex was given back. -DBUG_LEVEL: the level is read without the mutex. */
#include "logger.h"

void logger_init(struct logger *l, int level) {
    pthread_mutex_init(&l->lock, 0);
    l->count = 0;
    l->level = level;
}

int logger_add(struct logger *l, sink_function call, void *context) {
    pthread_mutex_lock(&l->lock);
    int room = l->count < SINKS;
    if (room) {
        struct sink added = {call, context};
        l->sinks[l->count++] = added;
    }
    pthread_mutex_unlock(&l->lock);
    return room ? 0 : -1;
}

void logger_remove(struct logger *l, void *context) {
    pthread_mutex_lock(&l->lock);
    for (int i = 0; i < l->count; i++)
        if (l->sinks[i].context == context) {
            l->sinks[i] = l->sinks[--l->count];
            l->level++; /* fewer listeners hear less */
            break;
        }
    pthread_mutex_unlock(&l->lock);
}

void logger_log(struct logger *l, int level, const char *text) {
#ifdef BUG_LEVEL
    if (level < l->level)
        return;
#endif
    pthread_mutex_lock(&l->lock);
#ifndef BUG_LEVEL
    if (level < l->level) {
        pthread_mutex_unlock(&l->lock);
        return;
    }
#endif
#ifdef BUG_OUTSIDE
    struct sink copy[SINKS];
    int count = l->count;
    for (int i = 0; i < count; i++)
        copy[i] = l->sinks[i];
    pthread_mutex_unlock(&l->lock);
    for (int i = 0; i < count; i++)
        copy[i].call(copy[i].context, level, text);
#else
    for (int i = 0; i < l->count; i++)
        l->sinks[i].call(l->sinks[i].context, level, text);
    pthread_mutex_unlock(&l->lock);
#endif
}
