/* What waits to be expanded: of every worker its own states, by preemptions; others may steal them.
 *
 * Invariant: a state waits once, from when it is entered into the table until somebody takes it; `waiting` is how many
 * do, and changes only with the lists, under the lock. */

#define STOLEN 256                                  /* states at a time, at most */


static int put_locked(Inside *in, u64 level, Waiting w) {
    while (in->bucket_count <= level) {
        Bucket none = { 0, 0, 0, 0 };
        if (!grow((void **)&in->buckets, in->bucket_count, &in->bucket_room, sizeof(Bucket))) return 0;
        in->buckets[in->bucket_count++] = none;
    }
    Bucket *b = &in->buckets[level];
    if (b->first > 1024 && b->first * 2 > b->end) {
        for (u64 i = b->first; i < b->end; i++) b->items[i - b->first] = b->items[i];
        b->end -= b->first;
        b->first = 0;
    }
    if (!grow((void **)&b->items, b->end, &b->room, sizeof(Waiting))) return 0;
    b->items[b->end++] = w;
    if (level < in->lowest) in->lowest = level;
    __atomic_store_n(&in->waiting, in->waiting + 1, __ATOMIC_RELAXED);
    return 1;
}

/* The next state to expand; its level, or -1 if none waits. Mostly depth-first and with few preemptions; but every
 * fourth stretch takes the oldest states, and every eighth turn goes to the next level (every 64th to the one
 * behind it, ...), so that no endless path keeps the search from what is near. */
static i64 take_locked(Inside *in, Waiting *w) {
    u64 turn = ++in->turn, skip = (u64)__builtin_ctzll(turn) / 3;
    i64 level = -1;
    for (u64 i = in->lowest; i < in->bucket_count; i++) {
        Bucket *b = &in->buckets[i];
        if (b->first == b->end) { if (i == in->lowest) in->lowest++; continue; }
        level = (i64)i;
        if (!skip--) break;
    }
    if (level < 0) return -1;
    Bucket *b = &in->buckets[level];
    *w = (turn / STRETCH) % 4 == 3 ? b->items[b->first++] : b->items[--b->end];
    __atomic_store_n(&in->waiting, in->waiting - 1, __ATOMIC_RELAXED);
    return level;
}

/* Others may steal; whoever works alone needs no lock. */
static void lock(Inside *in) {
    if (in->shared->jobs == 1) return;
    while (__atomic_exchange_n(&in->locked, 1, __ATOMIC_ACQUIRE))
        for (u32 spins = 0; is_set(&in->locked); spins++) if (spins % 64 == 63) sched_yield();
}

static void unlock(Inside *in) {
    if (in->shared->jobs > 1) __atomic_store_n(&in->locked, 0, __ATOMIC_RELEASE);
}

static int put(Inside *in, u64 level, Waiting w) {
    lock(in);
    int done = put_locked(in, level, w);
    unlock(in);
    return done;
}

static i64 take(Inside *in, Waiting *w) {
    if (!__atomic_load_n(&in->waiting, __ATOMIC_RELAXED)) return -1;
    lock(in);
    i64 level = take_locked(in, w);
    unlock(in);
    return level;
}

static u64 waiting_of(const Shared *all) {
    u64 sum = 0;
    for (u32 k = 0; k < all->jobs; k++) sum += __atomic_load_n(&all->of[k]->in->waiting, __ATOMIC_RELAXED);
    return sum;
}

/* Takes states from another worker. They are in nobody's list for a moment: the thief counts as one who works. */
static int steal(Inside *in, Inside *from) {
    Waiting loot[STOLEN];
    u64 count = 0, level;
    lock(from);
    for (level = from->lowest; level < from->bucket_count && !count; level++) {
        Bucket *b = &from->buckets[level];
        u64 half = (b->end - b->first + 1) / 2;
        for (; count < half && count < STOLEN; count++) loot[count] = b->items[b->first++];
    }
    __atomic_store_n(&from->waiting, from->waiting - count, __ATOMIC_RELAXED);
    unlock(from);
    for (u64 i = 0; i < count; i++) if (!put(in, level - 1, loot[i])) set(&in->table->full, 1);
    return count != 0;
}
