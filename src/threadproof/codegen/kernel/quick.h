/* Small operations as rows of a table (codegen/machine/gpu_rows.py): lanes whose threads stand at different places make
 * them by the same instructions. A lane that comes to anything else waits for others that do; then it is made by
 * `advance`. Under the uniform scheduler, with steps of one instruction. */

#if EMULATED
#define KERNEL
static u32 lane_at;
#define lane_number() lane_at
#define VOTES(x) ((x) ? ~0u : 0u)
#else
#define KERNEL __attribute__((nvptx_kernel))
#define lane_number() \
    ((u32)(__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x()))
#define VOTES(x) ((u32)__nvvm_vote_ballot_sync(~0, x)) /* of the 32 lanes that walk together; they meet here */
#endif

#define QUICK (MANY_ROWS && UNIFORM_ONLY && INSTRUCTION && SLOTS <= 8 && !FOOTPRINTS && !ENVIRONMENT && !DORMANT \
               && !HAS_ATOMIC && !REFUSED)

#if QUICK
#define WALKS (sizeof(Hand) < 1 << 16 && STACK_BYTES % 4 == 0 && GLOBAL_BYTES % 4 == 0)
typedef u32 FourWords __attribute__((vector_size(16)));

INLINE Row row_at(u32 pc) {
    union { Row row; FourWords words[sizeof(Row) / 16]; } found;
    for (u32 i = 0; i < sizeof(Row) / 16; i++) found.words[i] = ((const FourWords *)&ROWS[pc])[i];
    return found.row;
}

/* Where in the state a word of a row is. */
typedef struct { u32 registers, frame; } Bases;
INLINE u32 *word_at(State *S, const Bases *in, u32 word) {
    u32 base = word & 1 ? in->registers : word & 2 ? in->frame : 0;
    return (u32 *)((u8 *)S + (base + (word & ~3u)));
}

/* A step of a thread: 0 if it is no row, and nothing has changed. Hardly a branch: without a word it is `zero`. The state
 * is part of a Hand. */
INLINE int made_quickly(State *S, Thread *T) {
    Row row = row_at(T->pc);
    u32 thread = (u32)((u8 *)T - (u8 *)S);
    Bases in = { thread + T->rb * 8, thread + (T->base & ~7u) };
    u32 unknown = *word_at(S, &in, row.known), x = *word_at(S, &in, row.a), y = *word_at(S, &in, row.b);
    x = row.a == NO_WORD ? row.value : x;
    y = row.b == NO_WORD ? row.value : y;
    x = row_result(row.kind, x, y);
    int wide = row.kind == ROW_WIDE;
    u32 high = 0;
    if (wide) {
        unknown |= word_at(S, &in, row.known)[1];
        high = word_at(S, &in, row.a)[1];
    }
    u32 next = x ? row.then : row.otherwise;
    if (unknown | T->pending | (row.kind == ROW_NONE) | (next == NOWHERE)) return 0;
    for (u32 i = 0; i < 3; i++) *word_at(S, &in, row.zero[i]) = 0;
    *word_at(S, &in, row.to) = x;
    if (wide) {
        for (u32 i = 0; i < 3; i++) word_at(S, &in, row.zero[i])[1] = 0;
        word_at(S, &in, row.to)[1] = high;
    }
    T->pc = next;
    return 1;
}

/* Steps until so many of 32 lanes wait, or no lane walks any more: how the lane's run ends, or -1. `c->called`: now the
 * lane makes what it waits for. */
INLINE int walk(State *S, Batch *b, Ctx *C, Watcher *w, Plan *p, Course *c, int runs, u32 company, u64 room,
                u32 *turn, u32 turns) {
    int end = runs && !p->active ? nobody_moves(S) : -1, walks = runs && !c->parked && end < 0;
    Rng rng = C->rng;
    u64 order = 0, made = c->made;
    u32 active = p->active, tried = p->tried, parked = c->parked, called = 0;
    for (u32 i = 0; i < SLOTS; i++) order |= (u64)(p->slots[i] & 0xff) << 8 * i;
    for (; *turn < turns; ++*turn) {
        u32 waiting = VOTES(runs && !walks), walking = VOTES(walks);
        if (!walking || (u32)__builtin_popcount(waiting) >= company) { called = runs && !walks; break; }
        if (!walks) continue;
        u32 index = below(&rng, active), slot = (u32)(order >> 8 * index) & 0xff;
        if (!made_quickly(S, &S->t[slot])) { parked = index + 1; walks = 0; continue; }
        made++;
        active = tried;
        observe(S, w);
        end = watched_end(b, w);
        if (UNLIKELY(end >= 0)) c->last = slot;
        else if (UNLIKELY(made >= room)) end = O_STEPS;
        walks = end < 0;
    }
    if (runs) { C->rng = rng; p->active = active; c->made = made; c->parked = parked; c->called = called; }
    return end;
}
#else
#define WALKS 0
#define walk(S, b, C, w, p, c, runs, company, room, turn, turns) (-1)
#endif
