/* Two readers beside one who evicts. */
#include "cache.h"

#include <assert.h>

static struct cache cache;

static void *reader(void *unused) {
    int value = 0;
    if (cache_get(&cache, 1, &value))
        assert(value == 10);
    return NULL;
}

static void *evicter(void *unused) {
    cache_evict(&cache, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    cache_init(&cache);
    cache_put(&cache, 1, 10);
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, evicter, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(cache.hits <= 2);
    cache_clear(&cache);
    return 0;
}
