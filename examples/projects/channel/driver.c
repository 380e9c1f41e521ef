/* One sender, one receiver, a channel for one value. */
#include "channel.h"

#include <assert.h>

static void *sender(void *given) {
    struct channel *c = given;
    for (int value = 1; value <= 2; value++)
        channel_send(c, value);
    channel_close(c);
    return NULL;
}

static void *receiver(void *given) {
    struct channel *c = given;
    int expected = 1, value;
    while (channel_receive(c, &value))
        assert(value == expected++);
    assert(expected == 3);
    return NULL;
}

int main(void) {
    struct channel *c = channel_make(1);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, sender, c);
    pthread_create(&threads[1], NULL, receiver, c);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    channel_free(c);
    return 0;
}
