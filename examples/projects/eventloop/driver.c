/* Two threads post an event each; the loop handles both. */
#include "loop.h"

#include <assert.h>

static struct loop loop;

static void *poster(void *unused) {
    loop_post(&loop, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[EVENTS];
    if (loop_init(&loop) != 0)
        return 0;
    for (int i = 0; i < EVENTS; i++)
        pthread_create(&threads[i], NULL, poster, NULL);
    loop_run(&loop, EVENTS);
    for (int i = 0; i < EVENTS; i++)
        pthread_join(threads[i], NULL);
    assert(loop.handled == EVENTS);
    return 0;
}
