/* -DBUG_HITS: the counter of hits is changed under the read lock alone. -DBUG_EVICT: an entry is freed under the read lock. */
#include "cache.h"

#include <stdlib.h>

void cache_init(struct cache *c) {
    pthread_rwlock_init(&c->lock, NULL);
    pthread_mutex_init(&c->hits_lock, NULL);
    for (int i = 0; i < BUCKETS; i++)
        c->buckets[i] = NULL;
    c->hits = 0;
}

static struct entry **place(struct cache *c, int key) {
    struct entry **at = &c->buckets[(unsigned)key % BUCKETS];
    while (*at && (*at)->key != key)
        at = &(*at)->next;
    return at;
}

static void count_hit(struct cache *c) {
#ifndef BUG_HITS
    pthread_mutex_lock(&c->hits_lock);
#endif
    c->hits++;
#ifndef BUG_HITS
    pthread_mutex_unlock(&c->hits_lock);
#endif
}

int cache_get(struct cache *c, int key, int *value) {
    pthread_rwlock_rdlock(&c->lock);
    struct entry *found = *place(c, key);
    if (found) {
        *value = found->value;
        count_hit(c);
    }
    pthread_rwlock_unlock(&c->lock);
    return found != NULL;
}

void cache_put(struct cache *c, int key, int value) {
    pthread_rwlock_wrlock(&c->lock);
    struct entry **at = place(c, key);
    if (!*at) {
        *at = malloc(sizeof **at);
        (*at)->key = key;
        (*at)->next = NULL;
    }
    (*at)->value = value;
    pthread_rwlock_unlock(&c->lock);
}

void cache_evict(struct cache *c, int key) {
#ifdef BUG_EVICT
    pthread_rwlock_rdlock(&c->lock);
#else
    pthread_rwlock_wrlock(&c->lock);
#endif
    struct entry **at = place(c, key), *gone = *at;
    if (gone) {
        *at = gone->next;
        free(gone);
    }
    pthread_rwlock_unlock(&c->lock);
}

void cache_clear(struct cache *c) {
    for (int i = 0; i < BUCKETS; i++)
        while (c->buckets[i]) {
            struct entry *gone = c->buckets[i];
            c->buckets[i] = gone->next;
            free(gone);
        }
    pthread_mutex_destroy(&c->hits_lock);
    pthread_rwlock_destroy(&c->lock);
}
