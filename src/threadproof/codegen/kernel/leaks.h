/* Lost memory: live heap blocks that nothing points to. The same answers as `semantics.leaks`.
 *
 * Everything that looks like an address of a block counts as a pointer to it, also into its middle. A mark phase over
 * one state: registers, results and data of threads, locals, thread-local and global variables, then the blocks found.
 * It ends as soon as every block is found. Words are looked at at multiples of four first, and at every offset only if
 * that leaves a block over: pointers in packed structures are rare.
 *
 * Compiled once for all programs: `Layout` says where things lie in the block of a machine. */

enum { ASK_LOST, ASK_KEPT };    /* blocks nothing points to, at any time; blocks that are not freed, at the end */
enum { LEAK_NOT_ALIVE = 2 | 16 };  /* FREED or DEAD, of base.h */

typedef struct { u64 start; u32 size, off; i32 name; u32 flags; } Block;    /* Obj of state.h */
typedef struct { u32 at, size; } Stretch;

typedef struct {
    u32 asks, halt_return, halt_abort;  /* what is asked for; the kinds of end that main's return and abort are */
    u32 system;                 /* the name of blocks that nobody has to free */
    u32 threads, threads_at, thread_size, pointer_bytes, slot_is_number, arena_shift, heap_objects;
    u32 number_at, dormant_at;  /* 0, or where a thread's number stands, and how many threads never move */
    u32 nkeys_at, specifics_at, result_at, rb_at, fn_at, regs_at;
    u32 nstack_at, stack_at, sdata_at, nheap_at, heap_at, hdata_at, tls_at;
    u32 global_count, tls_count;
    const Stretch *globals, *tls;   /* variables that are not constant: where in a state, where in a thread's `tls` */
    const u32 *fn_slots;            /* registers by function */
    u64 main_arena, arenas, end;    /* addresses */
} Layout;

typedef struct {
    const Layout *l;
    const u8 *state;
    u8 *found;                  /* by slot and number of the block */
    u32 *todo;                  /* found, content not looked at yet */
    u32 todo_count, left;       /* left: live blocks not found */
    u32 stride;
} Marking;

static u32 word32(const u8 *at) { u32 w; copy_bytes(&w, at, 4); return w; }
static u64 word64(const u8 *at) { u64 w; copy_bytes(&w, at, 8); return w; }

static const u8 *thread_of(const Marking *m, u32 slot) { return m->state + m->l->threads_at + slot * m->l->thread_size; }
static const Block *blocks_of(const Layout *l, const u8 *thread) { return (const Block *)(thread + l->heap_at); }

/* --- one word ----------------------------------------------------------------------------------------------------- */

/* `threads` or more if no thread has this arena. */
static u64 owner_of(const Marking *m, u64 address) {
    const Layout *l = m->l;
    if (address < l->arenas) return 0;
    u64 number = ((address - l->arenas) >> l->arena_shift) + 1;
    if (l->number_at) {
        u32 t = 1;
        while (t < l->threads && (*thread_of(m, t) == PHASE_NONE || word32(thread_of(m, t) + l->number_at) != number)) t++;
        return t;
    }
    if (l->slot_is_number) return number;
    return number & 1 ? (number + 1) / 2 : l->threads;
}

static __attribute__((noinline)) void mark(Marking *m, u64 address) {
    const Layout *l = m->l;
    u64 slot = owner_of(m, address);
    if (slot >= l->threads) return;
    const u8 *thread = thread_of(m, (u32)slot);
    const Block *blocks = blocks_of(l, thread);
    u32 low = 0, high = word32(thread + l->nheap_at);
    while (low < high) {
        u32 middle = (low + high) / 2;
        if (blocks[middle].start <= address) low = middle + 1; else high = middle;
    }
    if (!low) return;
    const Block *b = &blocks[low - 1];
    u32 index = (u32)slot * l->heap_objects + low - 1;
    if (address > b->start + b->size || (b->flags & LEAK_NOT_ALIVE) || m->found[index]) return;
    m->found[index] = 1;
    m->todo[m->todo_count++] = index;
    m->left--;
}

static inline void look_at_word(Marking *m, u64 word) {
    if (UNLIKELY(word - m->l->main_arena < m->l->end - m->l->main_arena)) mark(m, word);
}

static void look_at(Marking *m, const u8 *data, u64 size) {
    u32 stride = m->stride;
    if (m->l->pointer_bytes == 8)
        for (u64 i = 0; i + 8 <= size; i += stride) look_at_word(m, word64(data + i));
    else
        for (u64 i = 0; i + 4 <= size; i += stride) look_at_word(m, word32(data + i));
}

/* A register of more bits than a pointer has may hold one anywhere, also one that begins with zeros. */
static void look_at_value(Marking *m, u64 value) {
    if (m->l->pointer_bytes == 8 || !(value >> 32)) look_at_word(m, value);
    else
        for (; value; value >>= 8) look_at_word(m, (u32)value);
}

static void look_at_found(Marking *m) {
    const Layout *l = m->l;
    while (m->todo_count && m->left) {
        u32 index = m->todo[--m->todo_count];
        const u8 *thread = thread_of(m, index / l->heap_objects);
        const Block *b = blocks_of(l, thread) + index % l->heap_objects;
        look_at(m, thread + l->hdata_at + b->off, b->size);
    }
}

/* --- one state ---------------------------------------------------------------------------------------------------- */

static void look_at_frames(Marking *m, const u8 *thread) {
    const Layout *l = m->l;
    u32 registers = word32(thread + l->rb_at) + l->fn_slots[word32(thread + l->fn_at)];
    for (u32 i = 0; i < registers; i++) look_at_value(m, word64(thread + l->regs_at + 8 * i));
    const Block *locals = (const Block *)(thread + l->stack_at);
    for (u32 i = 0; i < word32(thread + l->nstack_at) && m->left; i++)
        if (!(locals[i].flags & LEAK_NOT_ALIVE)) look_at(m, thread + l->sdata_at + locals[i].off, locals[i].size);
}

static void look_at_thread(Marking *m, const u8 *thread, int without_frames) {
    const Layout *l = m->l;
    u32 keys = word32(m->state + l->nkeys_at);
    look_at_value(m, word64(thread + l->result_at));
    for (u32 k = 0; k < keys; k++) look_at_value(m, word64(thread + l->specifics_at + 8 * k));
    if (*thread == PHASE_FINISHED) return;
    if (!without_frames) look_at_frames(m, thread);
    for (u32 i = 0; i < l->tls_count; i++) look_at(m, thread + l->tls_at + l->tls[i].at, l->tls[i].size);
}

static u32 live_blocks(const Layout *l, const u8 *thread) {
    u32 live = 0;
    for (u32 i = 0; i < word32(thread + l->nheap_at); i++) live += !(blocks_of(l, thread)[i].flags & LEAK_NOT_ALIVE);
    return live;
}

static int leaves_over(Marking *m, u32 stride, int main_returned) {
    const Layout *l = m->l;
    m->stride = stride;
    m->left = m->todo_count = 0;
    for (u32 t = 0; t < l->threads; t++) {
        const u8 *thread = thread_of(m, t);
        if (*thread == PHASE_NONE) continue;
        m->left += live_blocks(l, thread);
        fill_bytes(m->found + (u64)t * l->heap_objects, 0, word32(thread + l->nheap_at));
    }
    for (u32 t = 0; t < l->threads && m->left; t++) {
        if (*thread_of(m, t) != PHASE_NONE) look_at_thread(m, thread_of(m, t), main_returned && !t);
        look_at_found(m);
    }
    for (u32 i = 0; i < l->global_count && m->left; i++) look_at(m, m->state + l->globals[i].at, l->globals[i].size);
    look_at_found(m);
    return m->left > 0;
}

static int is_lost(const Layout *l, const u8 *state, u8 *room, int main_returned) {
    u64 most = (u64)l->threads * l->heap_objects;
    Marking m = { l, state, room + most * sizeof(u32), (u32 *)room, 0, 0, 4 };
    return leaves_over(&m, 4, main_returned) && leaves_over(&m, 1, main_returned);
}

static int is_kept(const Layout *l, const u8 *state) {
    for (u32 t = 0; t < l->threads; t++) {
        const u8 *thread = state + l->threads_at + t * l->thread_size;
        if (*thread == PHASE_NONE) continue;
        const Block *blocks = blocks_of(l, thread);
        for (u32 i = 0; i < word32(thread + l->nheap_at); i++)
            if (!(blocks[i].flags & LEAK_NOT_ALIVE) && blocks[i].name != (i32)l->system) return 1;
    }
    return 0;
}

/* Whether memory is lost in a state that a step or a run came to; `kind` is that of the end. `room` is for one more
 * state. What means nothing any more as a state is not looked at. */
EXPORT i32 tl_loses(const Layout *l, const u8 *state, u8 *room, i32 outcome, i32 kind) {
    if (l->asks == ASK_KEPT) return outcome == O_FINISHED && kind != (i32)l->halt_abort && is_kept(l, state);
    if (l->dormant_at && word32(state + l->dormant_at)) return 0; /* their arguments may be pointers */
    switch (outcome) {
    case O_FINISHED: case O_FAILED: case O_ASSUMPTION: case O_STUCK: case O_UNDEFINED:
    case O_MOVED: case O_DEADLOCK: case O_STEPS: case O_DECIDED: case O_LEVEL: case O_SCHEDULE_END:
        break;
    default:
        return 0;
    }
    return is_lost(l, state, room, outcome == O_FINISHED && kind == (i32)l->halt_return);
}
