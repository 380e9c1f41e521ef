/* Stateless search, first part: events, their footprints, happens-before.
 *
 * An event is one visible step of a thread together with the private steps that follow it (its own, those of a thread
 * it creates), so that choices stand at the end of the event before them. The execution being explored
 * is a stack of events; states, touches, moves and choices are stacks beside it. Compiled once for all programs: a
 * machine is its `tp_step`, its `tp_word`, what its operations are, and where threads lie in its block.
 *
 * Paper: P. A. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, Source sets: a foundation for optimal dynamic partial
 * order reduction, JACM 64(4), 2017. Differs: see races.h and run.h. */

#define MAX_THREADS 64          /* sets of threads are words */
#define EVENT_TOUCHES 4096      /* an event that touches more is ordered with every other */
#define ROOM_EVENTS 16
#define SETTLE_LIMIT 20000      /* private steps in one event */
#define ROW 16000               /* threads that never run, created in one event */
#define BEYOND (1ULL << 63)
#define BIT(slot) (1ULL << (slot))
#define NOBODY 0xffffffffu

#define MAX_JOBS 64
#define MAX_PICKS 64            /* choices in one event */

enum { REDUCE_NONE, REDUCE_SLEEP, REDUCE_SOURCE, REDUCE_OPTIMAL };
/* What the operation at a program counter is: OP_KIND[pc]. */
enum { KIND_FIXED, KIND_LOCK, KIND_BLOCKING, KIND_CONDITIONAL, KIND_UNLOCK, KIND_ATOMIC };
#define KIND_WAITS 16           /* beside the kind: half of a wait that may end spuriously */
#define IS_FIXED(kind) ((kind) == KIND_FIXED || (kind) == KIND_UNLOCK)
/* Why a thread takes no part in the rest of an execution. */
enum { ALIVE, DIED_ASSUMING, DIED_ENDING, DIED_UNKNOWN };

typedef struct { const Touch *at; u32 count; i32 wild; u64 bloom; } Print;  /* a footprint */

typedef struct {
    u32 slot, index, before;    /* thread; number in the thread, from 1; depth + 1 of its event before */
    Print print;
    u32 pc, kind;
    i32 pure, end;              /* it only read; how the thread died, if it did */
    i32 waits;                  /* half of a wait that may end spuriously */
    u32 move_at, moves, choice_at, choices, race_at, races;
    u32 turn;                   /* at a junction: the turn in which it was made */
} Event;

#define MAX_WAYS 4096           /* of one step: domains of a few hundred values */
#define WAY 4                   /* choices of an event that can sleep */

/* A way to make a thread's next step, explored already; `ways`: how many the thread has; `turn`: of a junction. */
typedef struct { u32 slot, ways, choices, turn; Print print; i64 chosen[WAY]; } Sleeper;
typedef struct { const i64 *values; u32 count, index; } Pick;
typedef struct { u32 pc; u64 low, high; i64 *values; u32 count; } Domain;

/* A branch of a wakeup tree: an event to come. `any`: the last of its sequence, whatever it chooses. At a junction it
 * stays when its turn has come; `home`: the junction behind it, unless it is the last; `waits`: there is more to do there. */
typedef struct Wake {
    u32 slot, choices, turn, waits;
    struct Junction *home;
    i32 any, wild;
    u64 bloom;
    i64 *chosen;
    Touch *touches;
    u32 count;
    struct Wake *child, *next;
} Wake;

typedef struct {
    u64 backtrack, done, asleep, dead, tried;   /* sets of threads; asleep: in all ways; tried: found blocked */
    u32 current;                                /* the thread being explored, or NOBODY */
    u32 executed;                               /* events explored from here */
    Sleeper *sleep;
    Pick *pick;                                 /* choices of the current thread's next event */
    u32 sleepers, picks;
    Touch *touch_top, *touches_at;              /* free from here on; room for the current thread's next event */
    u32 ways, unslept;                          /* of the current thread: explored; of those, cannot sleep */
    Wake *tree, *label;                         /* wakeup tree; the branch being followed */
    i32 died;                                   /* whether some thread died assuming on the way here */
    u32 left;                                   /* preemptions */
    u32 turn;                                   /* of a junction: how many threads were chosen, and one from before */
    i32 shared;                                 /* part of a Junction */
} Node;

typedef int (*Step)(u8 *state, u8 *watched, u32 slot, const i64 *choices, i32 given, Detail *d);
typedef int (*Word)(u8 *state, u64 address, u64 *out);

typedef struct Crew Crew;

typedef struct {
    /* the machine */
    Step step;
    Word word;
    const u8 *initial, *op_kind;
    Loses loses;                                /* null: nobody asks for memory lost where executions end */
    const void *leaks;
    u32 state_size, threads, threads_at, thread_size, pc_at;
    i32 join;                                   /* what a thread that waits for another's end is blocked on */
    /* parameters */
    u32 reduction, max_depth, watch_races, watch_deadlocks, error_kinds, undefined_kinds;
    u32 bounded, preemptions;                   /* bound.h */
    u32 gives_after;                            /* crew.h */
    u32 number_at;                              /* where in a thread's block its number stands, if most never run */
    Crowd crowd;
    u64 slice;                                  /* events until the answer D_TICK */
    /* what there is to know */
    u64 executions, blocked, redundant, cut_runs, diverged, rogues, events_made;
    u64 open_ends;                              /* ends of the process beside which other threads could still move */
    double explored;                            /* share of the search that is done, estimated */
    u32 depth, answer, found_race_with;
    Detail detail;                              /* of D_CHOICE, D_STOPPED, D_FOUND */
    i32 detail_outcome;
    u32 cuts;
    struct { i32 outcome, kind, text, name; u32 pc; } cut[8];
    /* the schedule: as in Batch */
    i32 *moves;
    i64 *choices;
    u32 move_top, choice_top;
    /* digests of the states in which executions end, for tests; null: not wanted */
    u64 *ends, end_count, end_room;
    /* stacks */
    u8 *states, *scratch, *watched, *row_begins;
    Event *events;
    Node *nodes, **path;                        /* own nodes; by depth: this one or a junction's */
    Crew *all;
    u32 asks;                                   /* whether this worker has work: see crew.h */
    u64 gave_at;                                /* events made when it parted with some, or got it */
    u32 *clocks, *races, birth[MAX_THREADS], last[MAX_THREADS];
    Touch *touches;
    Sleeper *sleepers;
    Pick *picks;
    u64 touch_room, move_room, sleeper_room;
    u32 race_top, race_room;
    u64 wait_number[MAX_THREADS];
    i32 wait_kind[MAX_THREADS];
    Touch *room;                                /* for executing something elsewhere */
    u64 *met, met_count, met_room;              /* digests of states, in a bounded search */
} Dpor;

enum { D_DONE, D_TICK, D_FOUND, D_RACE, D_DEADLOCK, D_CHOICE, D_STOPPED, D_THREADS, D_MEMORY };

/* --- states ---------------------------------------------------------------------------------------------------------- */

static inline u8 *state_at(Dpor *D, u64 depth) { return D->states + depth * D->state_size; }
static inline u8 *thread_in(Dpor *D, u8 *S, u32 slot) { return S + D->threads_at + (u64)slot * D->thread_size; }
static inline u8 phase_of(Dpor *D, u8 *S, u32 slot) { return thread_in(D, S, slot)[0]; }
static inline u8 pending_of(Dpor *D, u8 *S, u32 slot) { return thread_in(D, S, slot)[1]; }

static inline u32 pc_of(Dpor *D, u8 *S, u32 slot) {
    u32 pc;
    copy_bytes(&pc, thread_in(D, S, slot) + D->pc_at, sizeof pc);
    return pc;
}

/* What the schedule calls the thread. */
static inline i32 name_of(Dpor *D, u8 *S, u32 slot) {
    return D->crowd.awake ? (i32)word_at(thread_in(D, S, slot), D->number_at) : (i32)slot;
}

static inline int is_creating(Dpor *D, u8 *S, u32 slot) {
    return creates_dormant(&D->crowd, S + D->threads_at, D->threads, D->thread_size, slot, pc_of(D, S, slot));
}

static inline int live(Dpor *D, u8 *S, u32 slot) {
    u8 phase = phase_of(D, S, slot);
    return phase != PHASE_NONE && phase != PHASE_FINISHED;
}

/* --- footprints ---------------------------------------------------------------------------------------------------- */

static inline int commute(const Touch *a, const Touch *b) {
    u32 first = a->mode & MODES, second = b->mode & MODES;
    if (first == WRITE || second == WRITE || first == COMPLETE_EVEN || first == COMPLETE_ODD) return 0;
    if (first == ARRIVE_EVEN && second == COMPLETE_EVEN) return 1;
    if (first == ARRIVE_ODD && second == COMPLETE_ODD) return 1;
    if (first != second) return 0;
    return first != ADD || (a->address == b->address && a->size == b->size);
}

static inline int overlap(const Touch *a, const Touch *b) {
    return a->address < b->address + b->size && b->address < a->address + a->size;
}

static inline u64 bloom_of(const Touch *t) {
    u64 first = t->address >> 3, last = (t->address + t->size - 1) >> 3, bits = 0;
    if (last - first > 16) return ~0ULL;
    for (u64 word = first; word <= last; word++) bits |= 1ULL << ((word * 0x9e3779b97f4a7c15ULL) >> 58);
    return bits;
}

/* Whether executing `a` and then `b` differs from the other way round; `movable`: not just as a thread's
 * end and its join. */
static int ordered(const Touch *a, u32 na, const Touch *b, u32 nb, int *movable) {
    int found = 0;
    for (u32 i = 0; i < na; i++)
        for (u32 j = 0; j < nb; j++) {
            if (!overlap(&a[i], &b[j]) || commute(&a[i], &b[j])) continue;
            found = 1;
            if (~(a[i].mode | b[j].mode) & (JOINS | ENDS)) { *movable = 1; return 1; }
        }
    return found;
}

static int ordered_prints(const Print *a, const Print *b, int *movable) {
    if (a->wild || b->wild) { *movable = 1; return 1; }
    if (!(a->bloom & b->bloom)) return 0;
    return ordered(a->at, a->count, b->at, b->count, movable);
}

/* In either order. */
static int related(const Touch *a, u32 na, const Touch *b, u32 nb) {
    int ignored;
    return ordered(a, na, b, nb, &ignored) || ordered(b, nb, a, na, &ignored);
}

static int data_race(const Touch *a, u32 na, const Touch *b, u32 nb) {
    for (u32 i = 0; i < na; i++)
        for (u32 j = 0; j < nb; j++) {
            const Touch *x = &a[i], *y = &b[j];
            if (!(x->mode & DATA) || !(y->mode & DATA) || !overlap(x, y)) continue;
            if ((x->mode & MODES) == READ && (y->mode & MODES) == READ) continue;
            if (!(x->mode & y->mode & ATOMIC)) return 1;
        }
    return 0;
}

static int data_race_prints(const Print *a, const Print *b) { return data_race(a->at, a->count, b->at, b->count); }

static void print_of(Print *p, const Touch *at, u32 touched) {
    p->at = at;
    p->wild = touched > EVENT_TOUCHES;
    p->count = p->wild ? 0 : touched;
    p->bloom = p->wild ? ~0ULL : 0;
    for (u32 i = 0; i < p->count; i++) p->bloom |= bloom_of(&at[i]);
}

static int only_reads(const Print *p) {
    for (u32 i = 0; i < p->count; i++)
        if ((p->at[i].mode & MODES) != READ) return 0;
    return !p->wild;
}

/* Whether the event gives back a read-lock that its thread does not hold. The lock is a counter and does not know, and
 * then the order of two unlocks matters: nothing can be proved. */
static int is_rogue(Dpor *D, u32 depth) {
    const Event *e = &D->events[depth];
    if (e->kind != KIND_UNLOCK && e->kind != KIND_ATOMIC) return 0;
    for (u32 i = 0; i < e->print.count; i++) {
        const Touch *t = &e->print.at[i];
        if (e->kind == KIND_ATOMIC && (t->mode & MODES) == SHARE) return 1;
        if (e->kind == KIND_ATOMIC || (t->mode & (DATA | MODES)) == WRITE || t->address >= BEYOND) continue;
        int held = 0;
        for (u32 at = e->before; at; at = D->events[at - 1].before) {
            const Event *x = &D->events[at - 1];
            for (u32 k = 0; k < x->print.count; k++) {
                const Touch *u = &x->print.at[k];
                if (u->address == t->address && (u->mode & (DATA | MODES)) == SHARE) held += x->kind == KIND_UNLOCK ? -1 : 1;
            }
        }
        if (held <= 0) return 1;
    }
    return 0;
}

/* --- one event ------------------------------------------------------------------------------------------------------ */

typedef struct { int outcome, died; u32 touched, moves, chosen, created; } Ran;

/* A thread that must go on in private before anything else is done; NOBODY: none. */
static u32 unsettled(Dpor *D, u8 *S, u32 mover) {
    if (phase_of(D, S, mover) != PHASE_FINISHED && pending_of(D, S, mover) == PENDING_LOCAL) return mover;
    for (u32 i = 0; i < D->threads; i++)
        if (live(D, S, i) && pending_of(D, S, i) == PENDING_LOCAL) return i;
    return NOBODY;
}

static int death_by(int outcome) {
    switch (outcome) {
    case O_ASSUMPTION: case O_STUCK: return DIED_ASSUMING;
    case O_FINISHED: case O_FAILED: return DIED_ENDING;
    default: return DIED_UNKNOWN;
    }
}

/* Touches of one more creation in a row, as those of the ones before where they can be: of the same handle, or of
 * handles one behind the other. Nobody asks for the threads themselves. How many there are then. */
static u32 fold_touches(Touch *touches, u32 first, u32 more) {
    u32 count = first;
    for (u32 i = first; i < first + more; i++) {
        Touch now = touches[i];
        int known = now.address >= BEYOND;
        for (u32 k = 0; k < count && k < 4 && !known; k++) {
            Touch *before = &touches[k];
            if (before->mode != now.mode || now.address < before->address) continue;
            known = now.address <= before->address + before->size;
            u64 end = now.address + now.size;
            if (known && end > before->address + before->size) before->size = (u32)(end - before->address);
        }
        if (!known) touches[count++] = now;
    }
    return count;
}

/* One event in place: `moves` gets thread and number of choices of its steps. Details of its end are in D->detail.
 * `row`: so many threads that never run are created at once. */
static Ran run_steps(Dpor *D, u8 *S, u32 slot, const i64 *choices, u32 given, Touch *touches, i32 *moves, u32 row) {
    Ran r = { O_MOVED, ALIVE, 0, 0, 0, 0 };
    Detail *d = &D->detail;
    u32 mover = slot;
    for (u32 steps = 0; steps < SETTLE_LIMIT; steps++) {
        u32 touched = r.touched < EVENT_TOUCHES ? r.touched : EVENT_TOUCHES;
        d->touches = touches + touched;
        d->touch_room = EVENT_TOUCHES - touched;
        r.outcome = D->step(S, D->watched, mover, choices + r.chosen, (i32)(given - r.chosen), d);
        D->detail_outcome = r.outcome;
        if (r.outcome == O_FINISHED && phase_of(D, S, mover) == PHASE_FINISHED) r.outcome = O_MOVED;
        if (r.outcome == O_BLOCKED || r.outcome == O_CHOOSE || r.outcome == O_CAPACITY || r.outcome == O_NOT_NATIVE)
            return r;
        r.touched = row && d->touched <= d->touch_room ? fold_touches(touches, touched, d->touched) : touched + d->touched;
        r.chosen += d->chosen;
        if (moves) { moves[2 * r.moves] = name_of(D, S, mover); moves[2 * r.moves + 1] = (i32)d->chosen; }
        r.moves++;
        if (r.outcome != O_MOVED) { r.died = death_by(r.outcome); return r; }
        mover = unsettled(D, S, slot);
        if (mover != NOBODY) continue;
        if (++r.created >= row || !is_creating(D, S, slot)) return r;
        mover = slot;
    }
    D->detail_outcome = r.outcome = O_STEPS;
    r.died = DIED_UNKNOWN;
    return r;
}

/* Where threads that never run are created one after the other, these steps are one event, up to one that goes wrong.
 * Where there is no end of them, their creator may as well wait. */
static Ran run_event(Dpor *D, u8 *S, u32 slot, const i64 *choices, u32 given, Touch *touches, i32 *moves) {
    Ran r = { O_BLOCKED, ALIVE, 0, 0, 0, 0 };
    u8 *does = D->crowd.awake ? &D->crowd.does_at[pc_of(D, S, slot)] : 0;
    if (!does || !is_creating(D, S, slot)) return run_steps(D, S, slot, choices, given, touches, moves, 0);
    if (*does != ENDLESS) {
        copy_bytes(D->row_begins, S, D->state_size);
        r = run_steps(D, S, slot, choices, given, touches, moves, ROW);
        if (r.outcome == O_MOVED || (!r.created && r.outcome != O_UNSUPPORTED)) return r;
        copy_bytes(S, D->row_begins, D->state_size);
        if (r.outcome != O_UNSUPPORTED) return run_steps(D, S, slot, choices, given, touches, moves, r.created);
        if (*does == CREATES) *does = ENDLESS;
    }
    D->detail.kind = -1;
    D->detail.number = 0;
    D->detail_outcome = r.outcome = O_BLOCKED;
    return r;
}

/* --- happens-before ------------------------------------------------------------------------------------------------- */

static inline u32 *clock_of(Dpor *D, u32 depth) { return D->clocks + (u64)depth * MAX_THREADS; }

static inline int before(Dpor *D, u32 first, u32 second) {
    return clock_of(D, second)[D->events[first].slot] >= D->events[first].index;
}

static void join_clock(u32 *into, const u32 *other) {
    for (u32 i = 0; i < MAX_THREADS; i++)
        if (other[i] > into[i]) into[i] = other[i];
}

/* The past of a thread's next event, by program order and creation alone; `last`: depth + 1 of its event before. */
static void clock_after(Dpor *D, u32 last, u32 slot, u32 *clock) {
    u32 from = last ? last : D->birth[slot];
    if (from) copy_bytes(clock, clock_of(D, from - 1), MAX_THREADS * sizeof(u32));
    else fill_bytes(clock, 0, MAX_THREADS * sizeof(u32));
}

/* Whether the lock of this footprint is free in the state at `depth`. */
static int is_free(Dpor *D, u32 depth, const Print *p) {
    for (u32 i = 0; i < p->count; i++) {
        const Touch *t = &p->at[i];
        u64 owner;
        if (t->mode & DATA || t->address >= BEYOND) continue;
        return D->word(state_at(D, depth), t->address, &owner) && !owner;
    }
    return 1;
}

static int remember_race(Dpor *D, Event *e, u32 earlier) {
    if (D->race_top == D->race_room) {
        D->race_room *= 2;
        D->races = realloc(D->races, D->race_room * sizeof(u32));
    }
    D->races[D->race_top++] = earlier;
    e->races++;
    return 0;
}

/* The clock of the event just executed, and which earlier events it races with.
 *
 * Without blocking, those ordered with it by nothing in between; of an event that may block, all that are ordered with
 * it and not in its thread's past: what releases it stands in between (lock, unlock, lock). */
static int find_races(Dpor *D, u32 depth) {
    Event *e = &D->events[depth];
    u32 past[MAX_THREADS], *clock = clock_of(D, depth);
    int blocking = e->kind == KIND_LOCK || e->kind == KIND_BLOCKING, race = -1, taken = 0;
    clock_after(D, e->before, e->slot, past);
    copy_bytes(clock, past, sizeof past);
    e->index = clock[e->slot] + 1;
    clock[e->slot] = e->index;
    e->race_at = D->race_top;
    e->races = 0;
    for (u32 i = depth; i-- > 0;) {
        Event *other = &D->events[i];
        int known = clock[other->slot] >= other->index, movable = 0;
        if (known && (!blocking || past[other->slot] >= other->index)) continue;
        if (!ordered_prints(&other->print, &e->print, &movable)) continue;
        if (!known && D->watch_races && data_race_prints(&other->print, &e->print)) race = (int)i;
        /* A lock could have come before the one that took it last, and before nothing else. */
        if (e->kind == KIND_LOCK) movable = movable && !taken && (taken = is_free(D, i, &e->print));
        if (movable) remember_race(D, e, i);
        if (!known) join_clock(clock, clock_of(D, i));
    }
    return race;
}
