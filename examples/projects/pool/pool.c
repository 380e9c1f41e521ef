/* -DBUG_STOP: the flag is set outside of the mutex. -DBUG_DONE: jobs are counted after the mutex was given back. */
#include "pool.h"

#include <stdlib.h>

static struct job *take(struct pool *p) {
    while (!p->head && !p->stopping)
        pthread_cond_wait(&p->work, &p->lock);
    struct job *job = p->head;
    if (job) {
        p->head = job->next;
        if (!p->head)
            p->tail = &p->head;
    }
    return job;
}

static void *worker(void *given) {
    struct pool *p = given;
    for (;;) {
        pthread_mutex_lock(&p->lock);
        struct job *job = take(p);
        pthread_mutex_unlock(&p->lock);
        if (!job)
            return NULL;
        job->run(job->argument);
        free(job);
#ifndef BUG_DONE
        pthread_mutex_lock(&p->lock);
#endif
        p->done++;
#ifndef BUG_DONE
        pthread_mutex_unlock(&p->lock);
#endif
    }
}

struct pool *pool_start(void) {
    struct pool *p = malloc(sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    p->head = NULL;
    p->tail = &p->head;
    p->stopping = p->done = 0;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&p->workers[i], NULL, worker, p);
    return p;
}

void pool_submit(struct pool *p, void (*run)(void *), void *argument) {
    struct job *job = malloc(sizeof *job);
    job->run = run;
    job->argument = argument;
    job->next = NULL;
    pthread_mutex_lock(&p->lock);
    *p->tail = job;
    p->tail = &job->next;
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
}

int pool_stop(struct pool *p) {
#ifdef BUG_STOP
    p->stopping = 1;
    pthread_cond_broadcast(&p->work);
#else
    pthread_mutex_lock(&p->lock);
    p->stopping = 1;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
#endif
    for (int i = 0; i < WORKERS; i++)
        pthread_join(p->workers[i], NULL);
    int done = p->done;
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    free(p);
    return done;
}
