/* Who moves next. All of them are functions of the state, the run's random numbers and their own small memory. */

enum { SCHED_UNIFORM, SCHED_PCT, SCHED_WALK, SCHED_ROUND_ROBIN, SCHED_REPLAY };

typedef struct {
    i32 kind, depth;              /* PCT: depth; round robin: quantum */
    u64 length;                   /* PCT: steps among which the priority changes fall */
    const i32 *moves;             /* replay: slot and number of choices of each move */
    const i64 *choices;
    u64 move_count;
} Scheduler;

#define MAX_CHANGES 64
#define PATIENCE 64

typedef struct {
    /* candidates: [0, active) may move, [active, tried) just blocked, [tried, live) wait for the end of a thread */
    u32 slots[SLOTS], active, tried, live;
    u32 current, used;            /* round robin: whose turn, for how long; random walk: private steps in a row */
    u64 priority[SLOTS], change[MAX_CHANGES];
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

/* The candidate at `index` cannot move now; `until_end`: not before a thread ends. */
static void set_aside(Plan *p, u32 index, int until_end) {
    swap_slots(p, index, --p->active);
    if (until_end) swap_slots(p, p->active, --p->tried);
}

static void plan_begin(State *S, Plan *p, const Scheduler *s, Ctx *C) {
    fill_bytes(p, 0, sizeof *p);
    collect(S, p);
    p->current = SLOTS;
    if (s->kind == SCHED_PCT) {
        for (i32 i = 0; i + 1 < s->depth && i < MAX_CHANGES; i++)
            p->change[i] = (u64)(((u128)draw(&C->rng) * (s->length ? s->length : 1)) >> 64);
        /* Priorities above those that changes assign. They belong to slots, so creation needs no draw. */
        for (u32 i = 0; i < SLOTS; i++) p->priority[i] = (draw(&C->rng) >> 8) + MAX_CHANGES + 1;
    }
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
        return below(&C->rng, p->active);
    default:
        return below(&C->rng, p->active);
    }
}

/* After a step of `slot` was made. */
INLINE void plan_moved(State *S, Plan *p, int kind, const Scheduler *s, Ctx *C, u32 slot, u64 steps) {
    if (UNLIKELY(C->threads_changed)) { C->threads_changed = 0; collect(S, p); }
    else p->active = p->tried;
    if (kind == SCHED_ROUND_ROBIN) {
        p->used = slot == p->current && p->used < (u32)s->depth ? p->used + 1 : 1;
        p->current = slot;
    }
    if (kind == SCHED_PCT)
        for (i32 i = 0; i + 1 < s->depth && i < MAX_CHANGES; i++)
            if (p->change[i] == steps) p->priority[slot] = (u64)(MAX_CHANGES - i);
}
