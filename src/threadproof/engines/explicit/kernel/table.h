/* The states seen so far, exactly: a state is kept as the numbers of its parts, and equal parts are kept once.
 *
 * Paper: G. Holzmann, State compression in SPIN, SPIN workshop 1997 (collapse).
 * Differs: parts are what all threads share and the threads; those larger than PIECE bytes are cut into pieces, and the
 * part is kept as the numbers of its pieces.
 * Invariants: numbers are equal exactly if bytes are: a hash only says where to look. */

#define PIECE 512

/* A stretch of a part of which the first `count * unit` bytes are in use; the others are zero. unit 0: all are. */
typedef struct { u32 at, size, count_at, unit; } Area;

typedef struct { u32 at, size; } Piece;         /* of a state block */
typedef struct { u32 first, end, count_at, unit; } Span;  /* the pieces of an area */
typedef struct { u32 first_span, end_span, first, end, mark_at; } Part;  /* mark: a word; zero if the part is unused */
typedef struct { u32 where, size; } Content;    /* in the pool: in words of 8 bytes; size in bytes */

typedef struct { u32 asleep, due; } Note;        /* what the search notes about a state: `sleep.h` */

typedef struct {
    u32 parts, spans, pieces, row, kept;        /* row: words of a state in `vectors`; kept: where its vector stands */
    Part *part;
    Span *span;
    Piece *piece;
    u64 *pool, pool_used, pool_room;            /* the bytes of all contents */
    Content *content;
    u64 contents, content_room;
    u64 *content_index, content_mask;           /* hash in the upper half, number + 1 in the lower; 0: empty */
    u32 *vectors;                               /* by state: its key, then a Note, then its vector if that differs */
    u64 states, state_room;
    u64 *state_index, state_mask;
    int full;                                   /* no memory: nothing that was answered since means anything */
} Table;

void *malloc(__SIZE_TYPE__), *calloc(__SIZE_TYPE__, __SIZE_TYPE__), *realloc(void *, __SIZE_TYPE__);
void free(void *);

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

/* Twice the places of a hash index, everything entered again; the upper hash halves say where. */
static int wider(u64 **index, u64 *mask) {
    u64 old = *mask + 1, wide = 2 * old - 1, *fresh = calloc(2 * old, sizeof(u64));
    if (!fresh) return 0;
    for (u64 i = 0; i < old; i++) {
        u64 entry = (*index)[i], at = entry >> 32;
        if (!entry) continue;
        for (at &= wide; fresh[at]; at = (at + 1) & wide) {}
        fresh[at] = entry;
    }
    free(*index);
    *index = fresh;
    *mask = wide;
    return 1;
}

/* The number of these bytes. */
static u32 content_of(Table *t, const void *bytes, u32 size) {
    u64 hash = digest(bytes, size / 8) >> 32, at = hash & t->content_mask;
    for (; t->content_index[at]; at = (at + 1) & t->content_mask) {
        if (t->content_index[at] >> 32 != hash) continue;
        u32 number = (u32)t->content_index[at] - 1;
        const Content *c = &t->content[number];
        if (c->size == size && !__builtin_memcmp(t->pool + c->where, bytes, size)) return number;
    }
    u64 number = t->contents, words = size / 8;
    int room = grow((void **)&t->pool, t->pool_used + words, &t->pool_room, 8)
        && grow((void **)&t->content, number, &t->content_room, sizeof(Content));
    if (!room || (t->pool_used + words) >> 32 || number >> 31) { t->full = 1; return 0; }
    Content c = { (u32)t->pool_used, size };
    t->content[number] = c;
    copy_bytes(t->pool + t->pool_used, bytes, size);
    t->pool_used += words;
    t->contents++;
    t->content_index[at] = hash << 32 | (number + 1);
    if (t->contents * 2 > t->content_mask && !wider(&t->content_index, &t->content_mask)) t->full = 1;
    return (u32)number;
}

static u64 vector_hash(const Table *t, const u32 *vector) {
    u64 h = 0;
    for (u32 i = 0; i < t->parts; i++) h = (h + vector[i]) * 0x9e3779b97f4a7c15ULL + (h >> 29);
    h = (h ^ (h >> 32)) * 0xd1342543de82ef95ULL;
    return h >> 32;
}

/* A state's key, and behind it what is noted about the state. A key is a vector: the number of each part's content. */
static u32 *row_of(const Table *t, u64 number) { return t->vectors + number * t->row; }
static Note *note_of(const Table *t, u64 number) { return (Note *)(row_of(t, number) + t->parts); }

/* Where a state is in the index, or the empty place where it belongs. */
static u64 place_of(const Table *t, const u32 *vector, u64 hash) {
    u64 at = hash & t->state_mask;
    for (; t->state_index[at]; at = (at + 1) & t->state_mask) {
        if (t->state_index[at] >> 32 != hash) continue;
        u64 number = (u32)t->state_index[at] - 1;
        if (!__builtin_memcmp(row_of(t, number), vector, t->parts * sizeof(u32))) return at;
    }
    return at;
}

/* The state's number; all ones if it is not known. */
static u64 known_state(const Table *t, const u32 *vector) {
    u64 found = t->state_index[place_of(t, vector, vector_hash(t, vector))];
    return found ? (u32)found - 1 : ~0ULL;
}

/* The state's number; a new state has the number that `states` was before. */
static u64 state_of(Table *t, const u32 *key, const u32 *vector) {
    u64 hash = vector_hash(t, key), at = place_of(t, key, hash);
    if (t->state_index[at]) return (u32)t->state_index[at] - 1;
    u64 number = t->states;
    if (!grow((void **)&t->vectors, number, &t->state_room, t->row * sizeof(u32)) || number >> 31) {
        t->full = 1;
        return 0;
    }
    copy_bytes(row_of(t, number), key, t->parts * sizeof(u32));
    if (t->kept) copy_bytes(row_of(t, number) + t->kept, vector, t->parts * sizeof(u32));
    fill_bytes(note_of(t, number), 0, sizeof(Note));
    t->states++;
    t->state_index[at] = hash << 32 | (number + 1);
    if (t->states * 2 > t->state_mask && !wider(&t->state_index, &t->state_mask)) t->full = 1;
    return number;
}

/* --- the block cut up --------------------------------------------------------------------------------------------- */

/* Enter an area into the spans and pieces; where there is no room for them they are counted only. */
static void cut_up(Table *t, Area a) {
    u32 first = t->pieces;
    for (u32 from = 0; from < a.size; from += PIECE) {
        Piece p = { a.at + from, a.size - from < PIECE ? a.size - from : PIECE };
        if (t->piece) t->piece[t->pieces] = p;
        t->pieces++;
    }
    Span s = { first, t->pieces, a.count_at, a.unit };
    if (t->span) t->span[t->spans] = s;
    t->spans++;
}

static void cut_part(Table *t, const Area *areas, u32 count, u32 at) {
    Part p = { t->spans, 0, t->pieces, 0, at };
    for (u32 i = 0; i < count; i++) {
        Area a = { areas[i].at + at, areas[i].size, areas[i].count_at + at, areas[i].unit };
        cut_up(t, a);
    }
    p.end_span = t->spans;
    p.end = t->pieces;
    if (t->part) t->part[t->parts] = p;
    t->parts++;
}

/* Parts: what all threads share, then each thread, `areas` being those of one thread. */
static void cut_block(Table *t, const Area *areas, u32 count, u32 threads_at, u32 thread_size, u32 threads) {
    Area shared = { 0, threads_at, 0, 0 };
    t->parts = t->spans = t->pieces = 0;
    cut_part(t, &shared, 1, 0);
    for (u32 i = 0; i < threads; i++) cut_part(t, areas, count, threads_at + i * thread_size);
}

static int table_open(Table *t, const Area *areas, u32 count, u32 threads_at, u32 thread_size, u32 threads) {
    fill_bytes(t, 0, sizeof *t);
    cut_block(t, areas, count, threads_at, thread_size, threads);
    t->row = t->parts + sizeof(Note) / sizeof(u32);
    t->part = malloc(t->parts * sizeof(Part));
    t->span = malloc(t->spans * sizeof(Span));
    t->piece = malloc(t->pieces * sizeof(Piece));
    t->content_mask = t->state_mask = 4095;
    t->content_index = calloc(4096, sizeof(u64));
    t->state_index = calloc(4096, sizeof(u64));
    if (!t->part || !t->span || !t->piece || !t->content_index || !t->state_index) return 0;
    cut_block(t, areas, count, threads_at, thread_size, threads);
    return 1;
}

static void table_close(Table *t) {
    free(t->part); free(t->span); free(t->piece);
    free(t->pool); free(t->content); free(t->content_index); free(t->vectors); free(t->state_index);
}
