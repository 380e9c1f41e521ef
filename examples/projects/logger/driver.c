/* One thread logs while another removes its sink and frees what the sink used. */
#include "logger.h"

#include <assert.h>
#include <stdlib.h>

struct history {
    int messages;
};

static struct logger logger;
static struct history *history;

static void remember(void *context, int level, const char *text) {
    struct history *h = context;
    h->messages++;
}

static void *talker(void *unused) {
    logger_log(&logger, 1, "hello");
    return NULL;
}

static void *leaver(void *unused) {
    logger_remove(&logger, history);
    assert(history->messages <= 1);
    free(history);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    history = malloc(sizeof *history);
    history->messages = 0;
    logger_init(&logger, 0);
    logger_add(&logger, remember, history);
    pthread_create(&threads[0], NULL, talker, NULL);
    pthread_create(&threads[1], NULL, leaver, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
