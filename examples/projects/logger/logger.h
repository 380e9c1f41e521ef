/* A logger that hands every message to callbacks, which may come and go. */
#ifndef LOGGER_H
#define LOGGER_H

#include <pthread.h>

#define SINKS 2

typedef void (*sink_function)(void *context, int level, const char *text);

struct sink {
    sink_function call;
    void *context;
};

struct logger {
    pthread_mutex_t lock;
    struct sink sinks[SINKS];
    int count, level;
};

void logger_init(struct logger *l, int level);
int logger_add(struct logger *l, sink_function call, void *context);
/* Afterwards the context is not used any more. */
void logger_remove(struct logger *l, void *context);
void logger_log(struct logger *l, int level, const char *text);

#endif
