/* The state at hand, as bytes and as numbers: brought there, changed by a step, changed back.
 *
 * `base` is the state, `work` is where steps are made; between steps both are equal. */

typedef struct {
    Table *table;
    u8 *base, *work, *watched;
    u32 *parts, *pieces;    /* the numbers of what is in `base` */
    u32 *cut;               /* room for the numbers of one part's pieces */
} Hand;

static int hand_open(Hand *h, Table *t, u64 state_size) {
    h->table = t;
    h->base = calloc(3, state_size);
    h->parts = malloc((t->parts + 2 * t->pieces + 2) * sizeof(u32));
    if (!h->base || !h->parts) return 0;
    h->work = h->base + state_size;
    h->watched = h->work + state_size;
    h->pieces = h->parts + t->parts;
    h->cut = h->pieces + t->pieces;
    for (u32 i = 0; i < t->parts + t->pieces; i++) h->parts[i] = ~0u;
    return 1;
}

static void hand_close(Hand *h) { free(h->base); free(h->parts); }

/* The number of a piece's bytes: zeros at their end are not kept. */
static u32 piece_content(Table *t, const u8 *bytes, u32 size) {
    while (size && !word_at(bytes, size - 8) && !word_at(bytes, size - 4)) size -= 8;
    return content_of(t, bytes, size);
}

static void fill_piece(u8 *to, const u64 *bytes, u32 kept, u32 size) {
    copy_bytes(to, bytes, kept);
    fill_bytes(to + kept, 0, size - kept);
}

static void bring(Hand *h, u32 p, u32 number) {
    const Table *t = h->table;
    if (h->pieces[p] == number) return;
    u32 kept = (u32)content_at(t, number)->size;
    fill_piece(h->base + t->piece[p].at, words_of(t, number), kept, t->piece[p].size);
    fill_piece(h->work + t->piece[p].at, words_of(t, number), kept, t->piece[p].size);
    h->pieces[p] = number;
}

/* Bring `base` and `work` to a state; most of it is there already. */
static void load(Hand *h, u64 state) {
    const Table *t = h->table;
    const u32 *vector = row_of(t, state) + t->kept;
    for (u32 i = 0; i < t->parts; i++) {
        const Part *part = &t->part[i];
        if (h->parts[i] == vector[i]) continue;
        h->parts[i] = vector[i];
        if (part->end - part->first == 1) { bring(h, part->first, vector[i]); continue; }
        const u32 *numbers = (const u32 *)words_of(t, vector[i]);
        for (u32 p = part->first; p < part->end; p++) bring(h, p, numbers[p - part->first]);
    }
}

/* The number of a part with these pieces. */
static u32 part_of(Hand *h, const Part *part, u32 count) {
    if (part->end - part->first == 1) return h->cut[0];
    h->cut[count] = 0;
    return content_of(h->table, h->cut, (count + 1) / 2 * 8);
}

/* How many pieces of a span are in use in one of the blocks. */
static u32 pieces_in_use(const Hand *h, const Span *s) {
    if (!s->unit) return s->end - s->first;
    u32 before = word_at(h->base, s->count_at), after = word_at(h->work, s->count_at);
    u64 bytes = (u64)(before > after ? before : after) * s->unit, pieces = (bytes + PIECE - 1) / PIECE;
    return pieces < s->end - s->first ? (u32)pieces : s->end - s->first;
}

/* Undo the changes of a part; the part's number as it was in `work`, if that is wanted. */
static u32 undo_part(Hand *h, u32 i, int wanted) {
    Table *t = h->table;
    const Part *part = &t->part[i];
    int changed = 0;
    /* The first span holds the numbers of what is in use: it is undone last. */
    for (u32 s = part->end_span; s-- > part->first_span;) {
        u32 first = t->span[s].first, end = first + pieces_in_use(h, &t->span[s]);
        for (u32 p = first; p < end; p++) {
            u32 at = t->piece[p].at, size = t->piece[p].size;
            if (LIKELY(!__builtin_memcmp(h->work + at, h->base + at, size))) continue;
            if (wanted) {
                if (!changed) copy_bytes(h->cut, h->pieces + part->first, (part->end - part->first) * sizeof(u32));
                h->cut[p - part->first] = piece_content(t, h->work + at, size);
            }
            changed = 1;
            copy_bytes(h->work + at, h->base + at, size);
        }
    }
    return changed && wanted ? part_of(h, part, part->end - part->first) : h->parts[i];
}

/* Back to `base`; the vector of what was there, if it is wanted. */
static void undo(Hand *h, u32 *vector) {
    const Table *t = h->table;
    for (u32 i = 0; i < t->parts; i++) {
        int unused = i && !word_at(h->base, t->part[i].mark_at) && !word_at(h->work, t->part[i].mark_at);
        u32 number = unused ? h->parts[i] : undo_part(h, i, vector != 0);
        if (vector) vector[i] = number;
    }
}

/* The vector of a block. */
static void vector_of(Hand *h, const u8 *block, u32 *vector) {
    Table *t = h->table;
    for (u32 i = 0; i < t->parts; i++) {
        const Part *part = &t->part[i];
        for (u32 p = part->first; p < part->end; p++)
            h->cut[p - part->first] = piece_content(t, block + t->piece[p].at, t->piece[p].size);
        vector[i] = part_of(h, part, part->end - part->first);
    }
}
