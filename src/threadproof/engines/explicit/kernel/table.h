/* The states seen so far, exactly: a state is kept as the numbers of its parts, and equal parts are kept once.
 *
 * Paper: G. Holzmann, State compression in SPIN, SPIN workshop 1997 (collapse); one table for all workers as in
 * A. Laarman, J. van de Pol, M. Weber, Boosting multi-core reachability performance with shared hash tables, FMCAD 2010.
 * Differs: parts are what all threads share and the threads; those larger than PIECE bytes are cut into pieces, and the
 * part is kept as the numbers of its pieces. What is found in the index never moves, so that it can be read while
 * others write: arrays are stretches of address space of which the system backs what is used.
 * Invariants: numbers are equal exactly if bytes are: a hash only says where to look.
 *
 * Several workers: whoever enters something writes it first, under a number that nobody else has, and then puts the
 * number into an empty place of the index (compare and exchange, release). Who finds a number there (acquire) sees
 * what was written before. A place is written once: it goes from empty to one number. Who finds it taken looks at what
 * stands there now, so of two workers with equal bytes the second finds the first's entry: both probe the same places
 * in the same order, and the first empty one is the same for both until one of them has it. Indexes are exchanged for
 * wider ones only while nobody works. */

#define PIECE 512
#define NOTHING (~0ULL)
#define CHUNK 16                                /* numbers of states a worker takes at once */

/* A stretch of a part of which the first `count * unit` bytes are in use; the others are zero. unit 0: all are. */
typedef struct { u32 at, size, count_at, unit; } Area;

typedef struct { u32 at, size; } Piece;         /* of a state block */
typedef struct { u32 first, end, count_at, unit; } Span;  /* the pieces of an area */
typedef struct { u32 first_span, end_span, first, end, mark_at; } Part;  /* mark: a word; zero if the part is unused */
/* Stands in the pool before its bytes; its number is where, in words of 8 bytes. size: in bytes. */
typedef struct { u64 digest, size; } Content;
#define HEAD_WORDS (sizeof(Content) / sizeof(u64))

/* How a state was reached first. choices: 0, or where in the pool their number stands; times: so many steps, the
 * choices are those of the first. onward: see `proviso.h`. */
typedef struct { u32 parent, choices; u16 slot, times; u32 onward; } Node;

typedef struct { u64 next, end; } Numbers;      /* of states, taken and not used yet */

typedef struct {
    u32 parts, spans, pieces, row, kept;        /* row: words of a state in `rows`; kept: where its vector stands */
    Part *part;
    Span *span;
    Piece *piece;
    u64 *pool, pool_room;                       /* the bytes of all contents */
    u64 *content_index, content_mask;           /* hash in the upper half, number + 1 in the lower; 0: empty */
    u32 *rows;                                  /* by state: its key, then its vector if that differs, then a Node */
    u64 state_room;
    u64 *state_index, state_mask;
    u64 pool_used, contents, numbers;           /* given out: only added to */
    u32 full;                                   /* no memory: nothing that was answered since means anything */
    u32 crowded;                                /* an index is: what is being expanded must be expanded again */
} Table;

static u64 take_from(u64 *counter, u64 count) { return __atomic_fetch_add(counter, count, __ATOMIC_RELAXED); }

/* Room for one more item; the array may move. */
static int grow(void **array, u64 used, u64 *room, u64 item) {
    if (LIKELY(used < *room)) return 1;
    u64 wanted = *room + *room / 2 + 1024;
    while (wanted <= used) wanted *= 2;
    void *fresh = realloc(*array, wanted * item);
    if (!fresh) return 0;
    *array = fresh;
    *room = wanted;
    return 1;
}

static u64 digest(const u64 *words, u64 count) {
    u64 a = 0x9e3779b97f4a7c15ULL + count, b = 0xd1342543de82ef95ULL, i = 0;
    for (; i + 1 < count; i += 2) {
        a = (a ^ words[i]) * 0xbf58476d1ce4e5b9ULL;
        b = (b ^ words[i + 1]) * 0x94d049bb133111ebULL;
        a ^= a >> 29;
        b ^= b >> 32;
    }
    if (i < count) a = (a ^ words[i]) * 0xff51afd7ed558ccdULL;
    a ^= b * 0xc4ceb9fe1a85ec53ULL;
    a = (a ^ (a >> 32)) * 0xbf58476d1ce4e5b9ULL;
    return a ^ (a >> 29);
}

/* Twice the places of a hash index, everything entered again; the upper hash halves say where. Nobody else works. */
static int wider(u64 **index, u64 *mask) {
    u64 old = *mask + 1, wide = 2 * old - 1, *fresh = zeros(2 * old * sizeof(u64));
    if (!fresh) return 0;
    for (u64 i = 0; i < old; i++) {
        u64 entry = (*index)[i], at = entry >> 32;
        if (!entry) continue;
        for (at &= wide; fresh[at]; at = (at + 1) & wide) {}
        fresh[at] = entry;
    }
    munmap(*index, old * sizeof(u64));
    *index = fresh;
    *mask = wide;
    return 1;
}

/* Half of the places are taken: time for a wider index. In the middle of an expansion more may be. */
static int is_crowded(u64 given, u64 mask) { return given * 2 > mask; }
static int is_too_crowded(u64 given, u64 mask) { return given * 4 > mask * 3; }

/* Puts an entry into a place that was empty; else what stands there now. */
static int enter(u64 *place, u64 *seen, u64 entry) {
    return __atomic_compare_exchange_n(place, seen, entry, 0, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE);
}

static u64 entry_at(const u64 *place) { return __atomic_load_n(place, __ATOMIC_ACQUIRE); }

static const Content *content_at(const Table *t, u32 number) { return (const Content *)(t->pool + number); }
static const u64 *words_of(const Table *t, u32 number) { return t->pool + number + HEAD_WORDS; }

/* Mostly short: a loop here is faster than a call. */
static int same_words(const u64 *a, const u64 *b, u64 count) {
    u64 i = 0;
    while (i < count && a[i] == b[i]) i++;
    return i == count;
}

/* A content that nobody can find yet; NOTHING without room. */
static u64 new_content(Table *t, const void *bytes, u32 size, u64 hash) {
    u64 words = HEAD_WORDS + size / 8, where = take_from(&t->pool_used, words);
    if (where + words > t->pool_room || (where + words) >> 32) { set(&t->full, 1); return NOTHING; }
    if (is_too_crowded(take_from(&t->contents, 1), t->content_mask)) { set(&t->crowded, 1); return NOTHING; }
    Content c = { hash, size };
    copy_bytes(t->pool + where, &c, sizeof c);
    copy_bytes(t->pool + where + HEAD_WORDS, bytes, size);
    return where;
}

/* The number of these bytes; any number if the table is full or crowded. */
static u32 content_of(Table *t, const void *bytes, u32 size) {
    u64 all = digest(bytes, size / 8), hash = all >> 32, fresh = NOTHING;
    for (u64 at = hash & t->content_mask;; at = (at + 1) & t->content_mask) {
        u64 entry = entry_at(&t->content_index[at]);
        if (!entry) {
            if (fresh == NOTHING) fresh = new_content(t, bytes, size, all);
            if (fresh == NOTHING) return 0;
            if (enter(&t->content_index[at], &entry, hash << 32 | (fresh + 1))) return (u32)fresh;
        }
        if (entry >> 32 != hash) continue;
        u32 number = (u32)entry - 1;
        if (content_at(t, number)->size == size && same_words(words_of(t, number), bytes, size / 8)) return number;
    }
}

static u64 vector_hash(const Table *t, const u32 *vector) {
    u64 h = 0;
    for (u32 i = 0; i < t->parts; i++) h = (h + vector[i]) * 0x9e3779b97f4a7c15ULL + (h >> 29);
    h = (h ^ (h >> 32)) * 0xd1342543de82ef95ULL;
    return h >> 32;
}

/* A state's key, and behind it how it was reached. A key is a vector: the number of each part's content. */
static u32 *row_of(const Table *t, u64 number) { return t->rows + number * t->row; }
static Node *node_of(const Table *t, u64 number) {
    return (Node *)(row_of(t, number + 1) - sizeof(Node) / sizeof(u32));
}
static const u32 *vector_at(const Table *t, u64 number) { return row_of(t, number) + t->kept; }

static int has_key(const Table *t, u64 number, const u32 *key) {
    const u32 *row = row_of(t, number);
    u32 i = 0;
    while (i < t->parts && row[i] == key[i]) i++;
    return i == t->parts;
}

/* The state's number; NOTHING if it is not known. */
static u64 known_state(const Table *t, const u32 *key) {
    u64 hash = vector_hash(t, key);
    for (u64 at = hash & t->state_mask;; at = (at + 1) & t->state_mask) {
        u64 entry = entry_at(&t->state_index[at]);
        if (!entry) return NOTHING;
        if (entry >> 32 == hash && has_key(t, (u32)entry - 1, key)) return (u32)entry - 1;
    }
}

/* The state will be looked up soon: its row is brought near. */
static void look_ahead(const Table *t, const u32 *key) {
    u64 hash = vector_hash(t, key), entry = entry_at(&t->state_index[hash & t->state_mask]);
    if (entry >> 32 == hash) __builtin_prefetch(row_of(t, (u32)entry - 1));
}

/* The next number that nobody else has; it stays the next until it is used. */
static u64 next_number(Table *t, Numbers *own) {
    if (own->next == own->end) {
        own->next = take_from(&t->numbers, CHUNK);
        own->end = own->next + CHUNK;
    }
    if (own->end > t->state_room || own->end >> 31) { set(&t->full, 1); return NOTHING; }
    if (is_too_crowded(own->end, t->state_mask)) { set(&t->crowded, 1); return NOTHING; }
    return own->next;
}

/* The state's number, and whether it is new; NOTHING if the table is full or crowded. */
static u64 state_of(Table *t, Numbers *own, const u32 *key, const u32 *vector, Node node, int *is_new) {
    u64 hash = vector_hash(t, key), fresh = NOTHING;
    for (u64 at = hash & t->state_mask;; at = (at + 1) & t->state_mask) {
        u64 entry = entry_at(&t->state_index[at]);
        if (!entry) {
            if (fresh == NOTHING) {
                fresh = next_number(t, own);
                if (fresh == NOTHING || is_set(&t->full) || is_set(&t->crowded)) return NOTHING;
                copy_bytes(row_of(t, fresh), key, t->parts * sizeof(u32));
                if (t->kept) copy_bytes(row_of(t, fresh) + t->kept, vector, t->parts * sizeof(u32));
                *node_of(t, fresh) = node;
            }
            if (enter(&t->state_index[at], &entry, hash << 32 | (fresh + 1))) {
                own->next++;
                *is_new = 1;
                return fresh;
            }
        }
        if (entry >> 32 == hash && has_key(t, (u32)entry - 1, key)) return (u32)entry - 1;
    }
}

/* Wider indexes where they are crowded, while nobody works. */
static int make_room(Table *t) {
    while (is_crowded(t->contents, t->content_mask)) if (!wider(&t->content_index, &t->content_mask)) return 0;
    while (is_crowded(t->numbers, t->state_mask)) if (!wider(&t->state_index, &t->state_mask)) return 0;
    /* Whoever came across too little room may need much more at once. */
    if (t->crowded && (!wider(&t->content_index, &t->content_mask) || !wider(&t->state_index, &t->state_mask))) return 0;
    t->crowded = 0;
    return 1;
}
