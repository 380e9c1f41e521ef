/* Symmetric threads: states that differ by a permutation of threads other than main are one state in the table.
 *
 * Paper: C. N. Ip, D. L. Dill, Better verification through symmetry, FMSD 9, 1996.
 * Differs: the state that was seen first is kept as it was, so that ways to it are real executions; only the key by which
 * it is found is that of all its permutations. A key has the threads' parts sorted, with addresses relative to the
 * arena of their thread, and who holds a lock or is inside an atomic block is told by place in that order. Parts are
 * sorted by what they hold, so that the threads of a state are asked in the same order whichever permutation is kept.
 * Invariants: only where `analysis.footprints.symmetry` allows it. Equal keys are of states that are permutations of each other: a
 * state in which a thread has objects of its own has its own vector as key. */

#define NOT_ALONE (~0u)             /* the part has addresses of its thread in places nobody knows */

static u64 wide_at(const u8 *bytes, u32 at) { u64 w; copy_bytes(&w, bytes + at, 8); return w; }

static void make_relative(u8 *bytes, u32 at, u64 arena) {
    u64 w = wide_at(bytes, at);
    if (w) w -= arena;
    copy_bytes(bytes + at, &w, 8);
}

static void bytes_of(Inside *in, u32 number, u32 size) {
    fill_piece(in->bytes, words_of(in->table, number), (u32)content_at(in->table, number)->size, size);
}

/* The content of a thread's part with relative addresses, or NOT_ALONE. */
static u32 relative_part(Search *s, u32 slot, u32 number) {
    Inside *in = s->in;
    const Symmetry *y = s->symmetry;
    const Facts *f = s->facts;
    bytes_of(in, number, s->thread_size);
    if (in->bytes[0] == PHASE_NONE) return number;
    if (word_at(in->bytes, y->nstack_at) || word_at(in->bytes, y->nheap_at)) return NOT_ALONE;
    for (u32 i = 0; i < 3; i++) make_relative(in->bytes, y->cursors_at[i], y->arena[slot]);
    for (u32 i = 0; i < word_at(in->bytes, f->nframes_at); i++)
        make_relative(in->bytes, f->frames_at + i * f->frame_size, y->arena[slot]);
    return piece_content(in->table, in->bytes, s->thread_size);
}

/* The same, remembered: parts of different threads are different, unless there is no thread. */
static u32 folded_part(Search *s, u32 slot, u32 number) {
    Inside *in = s->in;
    u64 known = in->fold_room;
    if (!grow((void **)&in->folded, number, &in->fold_room, sizeof(u32))) {
        set(&in->table->full, 1);
        return NOT_ALONE;
    }
    if (in->fold_room > known) fill_bytes(in->folded + known, 0, (in->fold_room - known) * sizeof(u32));
    if (!in->folded[number]) {
        u32 found = relative_part(s, slot, number);
        if (is_set(&in->table->crowded)) return NOT_ALONE;
        in->folded[number] = found == NOT_ALONE ? NOT_ALONE : found + 1;
    }
    return in->folded[number] == NOT_ALONE ? NOT_ALONE : in->folded[number] - 1;
}

/* What all threads share, with the holders of locks and who is inside an atomic block renamed; `place` by slot. */
static u32 renamed(Search *s, u32 number, const u8 *place) {
    Inside *in = s->in;
    const Facts *f = s->facts;
    u32 inside = word_at(in->bytes, 0);             /* 1 + the slot; 0: nobody */
    int changed = inside > 1 && place[inside - 1] != inside - 1;
    if (changed) {
        inside = place[inside - 1] + 1u;
        copy_bytes(in->bytes, &inside, 4);
    }
    for (u32 l = 0; l < f->locks; l++) {
        u32 handle = word_at(in->bytes, f->holder_at[l]);
        u64 slot = slot_of_handle(f, in->bytes, handle);
        if (!handle || !slot || slot >= s->threads || place[slot] == slot) continue;
        handle = 2u * place[slot];
        copy_bytes(in->bytes + f->holder_at[l], &handle, 4);
        changed = 1;
    }
    return changed ? piece_content(in->table, in->bytes, s->threads_at) : number;
}

/* Whether one part stands behind another. Numbers of contents say who came first; what they hold does not. */
static int is_behind(const Table *t, u32 part, u32 other) {
    u64 a = content_at(t, part)->digest, b = content_at(t, other)->digest;
    return a != b ? a > b : part > other;
}

/* Sorts the threads: their parts into `key`, their slots into `slots`. 0: a part cannot be told from elsewhere. */
static int sort_threads(Search *s, const u32 *vector, u32 *key, u8 *slots) {
    key[1] = vector[1];
    slots[0] = 0;
    for (u32 t = 1; t < s->threads; t++) {
        u32 part = folded_part(s, t, vector[1 + t]), i = t;
        if (part == NOT_ALONE) return 0;
        for (; i > 1 && is_behind(s->in->table, key[i], part); i--) {
            key[1 + i] = key[i];
            slots[i] = slots[i - 1];
        }
        key[1 + i] = part;
        slots[i] = (u8)t;
    }
    return 1;
}

/* The key of a state. */
static const u32 *key_of(Search *s, const u32 *vector) {
    Inside *in = s->in;
    u8 place[MOST_THREADS], slots[MOST_THREADS];
    if (!in->folds || !sort_threads(s, vector, in->key, slots)) return vector;
    for (u32 i = 1; i < s->threads; i++) place[slots[i]] = (u8)i;
    bytes_of(in, vector[0], s->threads_at);
    in->key[0] = renamed(s, vector[0], place);
    return in->key;
}

/* In which order threads are asked in a state: of folded threads that of their parts. */
static void find_order(Search *s, const u32 *vector) {
    if (!s->in->folds || sort_threads(s, vector, s->in->key, s->in->order)) return;
    for (u32 t = 0; t < s->threads; t++) s->in->order[t] = (u8)t;
}

static int fold_open(Search *s) {
    Inside *in = s->in;
    in->folds = s->symmetry && s->facts && !s->facts->slot_is_number && s->threads <= MOST_THREADS
        && s->thread_size <= PIECE && s->threads_at <= PIECE;
    in->key = malloc((in->table->parts + 1) * sizeof(u32));
    in->bytes = malloc(2 * PIECE);
    return in->key && in->bytes;
}

static void fold_close(Inside *in) { free(in->key); free(in->bytes); free(in->folded); }
