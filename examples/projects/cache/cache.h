/* A small cache under a read-write lock: lookups share it, stores and evictions have it alone. */
#ifndef CACHE_H
#define CACHE_H

#include <pthread.h>

#define BUCKETS 2

struct entry {
    int key, value;
    struct entry *next;
};

struct cache {
    pthread_rwlock_t lock;
    struct entry *buckets[BUCKETS];
    int hits;
    pthread_mutex_t hits_lock;
};

void cache_init(struct cache *c);
/* 1 and the value, or 0. */
int cache_get(struct cache *c, int key, int *value);
void cache_put(struct cache *c, int key, int value);
void cache_evict(struct cache *c, int key);
void cache_clear(struct cache *c);

#endif
