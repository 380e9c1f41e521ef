/* -DBUG_ORDER: the byte is written before the event is there. -DBUG_LOCK: events are taken without the mutex. */
#include "loop.h"

#include <unistd.h>

int loop_init(struct loop *l) {
    pthread_mutex_init(&l->lock, NULL);
    l->count = l->handled = 0;
    return pipe(l->pipe);
}

static void wake(struct loop *l) {
    char byte = 1;
    write(l->pipe[1], &byte, 1);
}

void loop_post(struct loop *l, int event) {
#ifdef BUG_ORDER
    wake(l);
#endif
    pthread_mutex_lock(&l->lock);
    l->events[l->count++] = event;
    pthread_mutex_unlock(&l->lock);
#ifndef BUG_ORDER
    wake(l);
#endif
}

void loop_run(struct loop *l, int wanted) {
    for (int heard = 0; heard < wanted; heard++) {
        char byte;
        if (read(l->pipe[0], &byte, 1) != 1)
            return;
#ifndef BUG_LOCK
        pthread_mutex_lock(&l->lock);
#endif
        if (l->count > 0) {
            l->count--;
            l->handled++;
        }
#ifndef BUG_LOCK
        pthread_mutex_unlock(&l->lock);
#endif
    }
}
