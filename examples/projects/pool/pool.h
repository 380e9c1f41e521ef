/* A thread pool with a queue of jobs. */
#ifndef POOL_H
#define POOL_H

#include <pthread.h>

#define WORKERS 2

struct job {
    void (*run)(void *);
    void *argument;
    struct job *next;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct job *head, **tail;
    int stopping, done;
    pthread_t workers[WORKERS];
};

struct pool *pool_start(void);
void pool_submit(struct pool *p, void (*run)(void *), void *argument);
/* Waits for all jobs; returns how many were done. */
int pool_stop(struct pool *p);

#endif
