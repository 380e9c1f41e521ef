/* Who moves next. All of them are functions of the state, the run's random numbers and their own small memory. */

enum { SCHED_UNIFORM, SCHED_PCT, SCHED_WALK, SCHED_ROUND_ROBIN, SCHED_REPLAY };

typedef struct {
    i32 kind, depth;              /* PCT: depth; round robin: quantum */
    u64 length;                   /* PCT: steps among which the priority changes fall */
    const i32 *moves;             /* replay: slot and number of choices of each move */
    const i64 *choices;
    u64 move_count;
    const u64 *lengths;           /* random walk: steps each slot is expected to make; may be null */
    u64 length_count;
    u64 *made;                    /* random walk: where the steps of each slot are counted */
} Scheduler;

#define MAX_CHANGES 64
#define PATIENCE 64
#define LEAST_PRIORITY (1ULL << 32)

typedef struct {
    /* candidates: [0, active) may move, [active, tried) just blocked, [tried, live) wait for the end of a thread */
    u32 slots[SLOTS], active, tried, live;
    u32 current, used;            /* round robin, PCT: who moved last, how often in a row; walk: private steps in a row */
    u64 priority[SLOTS], change[MAX_CHANGES];   /* PCT; random walk: the priority is the steps still expected */
    u64 lowest;                   /* PCT: below all priorities */
    u32 patience;                 /* PCT: steps in a row after which a thread gets it */
    u64 unborn;                   /* random walk: steps expected of threads not yet created */
    u64 move, choice;             /* replay */
} Plan;

static void collect(State *S, Plan *p) {
    p->live = 0;
    for (u32 i = 0; i < SLOTS; i++)
        if (S->t[i].phase != PHASE_NONE && S->t[i].phase != PHASE_FINISHED) p->slots[p->live++] = i;
    p->active = p->tried = p->live;
}

static void swap_slots(Plan *p, u32 a, u32 b) {
    u32 slot = p->slots[a];
    p->slots[a] = p->slots[b];
    p->slots[b] = slot;
}

/* What a thread is going to do counts with main until it is created. */
static void count_unborn(State *S, Plan *p) {
    p->unborn = 0;
    for (u32 i = 0; i < SLOTS; i++)
        if (S->t[i].phase == PHASE_NONE) p->unborn += p->priority[i];
}

/* The candidate at `index` cannot move now; `until_end`: not before a thread ends. */
static void set_aside(Plan *p, u32 index, int until_end) {
    swap_slots(p, index, --p->active);
    if (until_end) swap_slots(p, p->active, --p->tried);
}

static void plan_begin(State *S, Plan *p, const Scheduler *s, Ctx *C) {
#if UNIFORM_ONLY
    p->used = 0; /* and nobody looks at the rest */
#else
    fill_bytes(p, 0, sizeof *p);
#endif
    collect(S, p);
    p->current = SLOTS;
    if (s->kind == SCHED_PCT) {
        for (i32 i = 0; i + 1 < s->depth && i < MAX_CHANGES; i++)
            p->change[i] = (u64)(((u128)draw(&C->rng) * (s->length ? s->length : 1)) >> 64);
        /* Priorities above those that changes assign. They belong to slots, so creation needs no draw. */
        u64 drawn_once = draw(&C->rng); /* so that a run is the same on a machine with more slots */
        for (u32 i = 0; i < SLOTS; i++)
            p->priority[i] = mix64(drawn_once + (i + 1) * 0x9e3779b97f4a7c15ULL) | 1ULL << 63;
        p->lowest = LEAST_PRIORITY;
        p->patience = 16u << (drawn_once & 7);
    }
    if (s->kind == SCHED_WALK && s->lengths) {
        for (u32 i = 0; i < SLOTS && i < s->length_count; i++) p->priority[i] = s->lengths[i];
        count_unborn(S, p);
    }
}

INLINE u64 expected(const Plan *p, u32 slot) {
    return (p->priority[slot] ? p->priority[slot] : 1) + (slot ? 0 : p->unborn);
}

/* By the steps still expected, so that every interleaving of them is as likely as any other. */
static u32 pick_by_length(const Plan *p, Ctx *C) {
    u64 total = 0;
    for (u32 i = 0; i < p->active; i++) total += expected(p, p->slots[i]);
    u64 at = (u64)(((u128)draw(&C->rng) * total) >> 64);
    for (u32 i = 0; i + 1 < p->active; i++) {
        u64 part = expected(p, p->slots[i]);
        if (at < part) return i;
        at -= part;
    }
    return p->active - 1;
}

/* Index of the candidate to try. There is at least one. */
INLINE u32 plan_pick(State *S, Plan *p, int kind, const Scheduler *s, Ctx *C) {
    u32 best = 0;
    switch (kind) {
    case SCHED_PCT:
        for (u32 i = 1; i < p->active; i++)
            if (p->priority[p->slots[i]] > p->priority[p->slots[best]]) best = i;
        return best;
    case SCHED_ROUND_ROBIN:
        /* The current thread while its quantum lasts, else the next slot in cyclic order. */
        {
            u32 distance = ~0u, from = p->current == SLOTS ? 0 : p->used < (u32)s->depth ? p->current : p->current + 1;
            for (u32 i = 0; i < p->active; i++) {
                u32 d = (p->slots[i] + SLOTS - from % SLOTS) % SLOTS;
                if (d < distance) { distance = d; best = i; }
            }
            return best;
        }
    case SCHED_WALK:
        /* One that computes in private for ever must not keep the others from moving. */
        for (u32 i = 0; p->used < PATIENCE && i < p->active; i++)
            if (S->t[p->slots[i]].pending != PENDING_VISIBLE) { p->used++; return i; }
        p->used = 0;
        return s->lengths ? pick_by_length(p, C) : below(&C->rng, p->active);
    default:
        return below(&C->rng, p->active);
    }
}

/* After a step of `slot` was made. */
INLINE void plan_moved(State *S, Plan *p, int kind, const Scheduler *s, Ctx *C, u32 slot, u64 steps) {
    if (UNLIKELY(C->threads_changed)) {
        C->threads_changed = 0;
        collect(S, p);
        if (kind == SCHED_WALK && s->lengths) count_unborn(S, p);
    } else p->active = p->tried;
    if (kind == SCHED_WALK) {
        if (s->made) s->made[slot]++;
        if (p->priority[slot]) p->priority[slot]--;
    }
    if (kind == SCHED_ROUND_ROBIN) {
        p->used = slot == p->current && p->used < (u32)s->depth ? p->used + 1 : 1;
        p->current = slot;
    }
    if (kind == SCHED_PCT) {
        for (i32 i = 0; i + 1 < s->depth && i < MAX_CHANGES; i++)
            if (p->change[i] == steps) p->priority[slot] = LEAST_PRIORITY + (u64)(MAX_CHANGES - i);
        /* One that spins until another moves must not keep it from moving. */
        p->used = slot == p->current ? p->used + 1 : 1;
        p->current = slot;
        if (UNLIKELY(p->used >= p->patience)) { p->priority[slot] = --p->lowest; p->used = 0; }
    }
}
