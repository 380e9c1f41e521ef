/* The stateful search: no state twice, few preemptions first. Compiled once for all programs: a machine is its
 * `tp_step` and where threads lie in its block. The reference is `engines.explicit.reference`.
 *
 * This file holds what is kept, what waits, and the steps of one thread; `choose.h`, `sleep.h`, `expand.h` follow. */

enum { MORE, DONE, VIOLATED, NOT_NATIVE, SHORT, MEMORY };
enum { END, CUT, VIOLATION };                       /* what an outcome means for the property */
enum { WATCH_NOTHING, WATCH_RACES, WATCH_DEADLOCKS };
enum { REDUCE_NOT, REDUCE_LOCAL, REDUCE_PERSISTENT, REDUCE_SLEEP };

#define PATIENCE 100
#define MOST_DORMANT (1u << 15)                     /* threads that never run and are created in a row */
#define STRETCH 64                                  /* turns of one kind in a row */
#define ALL 256                                     /* domains up to this size are enumerated */
#define ROOM 512                                    /* telling values of a wide one */
#define CHOICES 256                                 /* in one step */
#define NOBODY 0xffff

typedef int (*Step)(u8 *state, u8 *watched, u32 slot, const i64 *choices, i32 given, Detail *d);

typedef struct { u32 state; u16 last, alone; } Waiting;
typedef struct { Waiting *items; u64 first, end, room; } Bucket;
/* choices: 0, or where in the pool their number stands; times: so many steps, the choices are those of the first */
typedef struct { u32 parent, slot, choices, times; } Node;
typedef struct { u32 slot, choices, times; } Edge;

typedef struct {
    Table table;
    Hand hand;
    Node *nodes;
    i64 *choice_pool;
    Bucket *buckets;
    Edge *edges;                                    /* of the state at hand, with the vectors they lead to */
    i64 *edge_choices;
    u32 *leads, *vector;
    u8 *enabled, *tried;                            /* by slot */
    u64 node_room, choices_used, choices_room, bucket_count, bucket_room, edge_room, lead_room, edges_used;
    u64 edge_choices_used, edge_choices_room, turn, lowest;
    Touch *touches;                                 /* of the steps of the state at hand, thread by thread */
    Situation now;                                  /* if somebody looked */
    u32 *key, *folded;                              /* of `fold.h` */
    u8 *bytes;
    u64 folds, fold_room;
    u32 sleeps, asleep, looked;                     /* whether threads sleep, and who does in the state at hand */
    u64 touched, touch_room;
    u32 *touches_from, *touches_to;                 /* by slot */
    i64 choices[CHOICES], told[2 * CHOICES];        /* made so far; told: each with whether it is signed */
} Inside;

typedef struct {                                    /* where in a thread's block addresses of its arena stand */
    const u64 *arena;                               /* by slot: where it begins */
    u32 cursors_at[3], nstack_at, nheap_at;
} Symmetry;

typedef struct {
    /* the machine */
    Step step;
    const u8 *initial;
    u32 state_size, threads, threads_at, thread_size, pc_at, area_count;
    const Area *areas;                              /* of one thread */
    /* the question */
    const u8 *of_failed, *of_undefined;             /* END, CUT or VIOLATION by kind */
    i32 watch, reduction;
    i32 goes_on;                                    /* with the rest when a state block has no room */
    u32 telling_count;
    const i64 *telling;                             /* values tried for wide choices, after 0, 1, -1 and the bounds */
    const u8 *quiet_at;                             /* by program counter: whether what follows commutes with the others */
    const Facts *facts;                             /* null: nothing is known about what threads touch */
    const Symmetry *symmetry;                       /* null: threads are told apart */
    const u32 *values_at;                           /* by program counter: 0, or where in `values` a list begins */
    const i64 *values;                              /* lists: their length, then the values */
    u8 *creates_at;                                 /* by program counter: CREATES, DETACHES; ENDLESS was found out */
    u32 awake, site_at, newest_at, dormant_at;      /* of each creation so many run, 0: all; where in a thread's block
                                                       stand its creation and what it created last, and in a state how
                                                       many never run */
    void (*ended)(const u8 *state, i32 outcome, const Detail *d);  /* null: nobody asks how executions end */
    Loses loses;                                    /* null: nobody asks for lost memory */
    const void *leaks;
    /* the answer */
    u64 states, steps, ends, waiting, contents;
    i32 cut, cut_outcome;                           /* why `true` cannot be said: how often, and the first */
    i32 short_of;                                   /* the room that was too small; -1: none */
    Detail detail;                                  /* of `cut_outcome`, or of what ended the search */
    u64 last_state, last_slot, last_choices;        /* of a violation; last_slot == threads: the state itself */
    u64 met_state, met_slot, met_choices, met;      /* the same of the first undefined behaviour; met: there was some */
    Inside *in;
} Search;

static u8 phase_of(const Search *s, const u8 *state, u32 slot) { return state[s->threads_at + slot * s->thread_size]; }
static u8 pending_of(const Search *s, const u8 *state, u32 slot) {
    return state[s->threads_at + slot * s->thread_size + 1];
}
static int is_quiet(const Search *s, const u8 *state, u32 slot) {
    return s->quiet_at[word_at(state, s->threads_at + slot * s->thread_size + s->pc_at)];
}
enum { CREATES = 1, DETACHES, ENDLESS };
enum { DORMANT_NEW = 1 };                           /* of state.h */
static u32 pc_of(const Search *s, const u8 *state, u32 slot) {
    return word_at(state, s->threads_at + slot * s->thread_size + s->pc_at);
}
/* Whether the thread is about to create another that never runs, or to detach it: nobody notices, except by the
 * handle. */
static int creates_dormant(const Search *s, const u8 *state, u32 slot) {
    u32 pc = pc_of(s, state, slot), run = 0, room = 0;
    if (!s->awake || !s->creates_at[pc]) return 0;
    if (s->creates_at[pc] == DETACHES)
        return word_at(state, s->threads_at + slot * s->thread_size + s->newest_at) == DORMANT_NEW;
    for (u32 t = 0; t < s->threads; t++) {
        const u8 *thread = state + s->threads_at + t * s->thread_size;
        room |= *thread == PHASE_NONE;
        run += word_at(thread, s->site_at) == pc + 1;
    }
    return !room || run >= s->awake;
}
static int has_dormant(const Search *s, const u8 *state) { return s->awake && word_at(state, s->dormant_at); }
static int is_live(const Search *s, const u8 *state, u32 slot) {
    u8 phase = phase_of(s, state, slot);
    return phase != PHASE_NONE && phase != PHASE_FINISHED;
}

/* --- what waits --------------------------------------------------------------------------------------------------- */

static int put(Inside *in, u64 level, Waiting w) {
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
    return 1;
}

/* The next state to expand; its level, or -1 if none waits. Mostly depth-first and with few preemptions; but every
 * fourth stretch takes the oldest states, and every eighth turn goes to the next level (every 64th to the one
 * behind it, ...), so that no endless path keeps the search from what is near. */
static i64 take(Inside *in, Waiting *w) {
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
    return level;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void cut(Search *s, int outcome, const Detail *d) {
    if (!s->cut++) { s->cut_outcome = outcome; s->detail = *d; }
}

static int inside(const Detail *d, i64 v) {
    if (d->is_signed) return (i64)d->low <= v && v <= (i64)d->high;
    return v >= 0 && d->low <= (u64)v && (u64)v <= d->high;
}

static int contains(const i64 *values, u64 count, i64 v) {
    for (u64 i = 0; i < count; i++) if (values[i] == v) return 1;
    return 0;
}

/* The values tried for the choice in `d`, as `semantics.domains` has it; `room` is for those that stand nowhere. */
static const i64 *values_to_try(Search *s, const Detail *d, i64 *room, u64 *count) {
    u32 list = s->values_at[d->pc];
    u64 span = d->high - d->low, n = 0;
    if (list) { *count = (u64)s->values[list]; return s->values + list + 1; }
    if (span < ALL) {
        for (u64 i = 0; i <= span; i++) room[i] = (i64)(d->low + i);
        *count = span + 1;
        return room;
    }
    cut(s, O_CHOOSE, d);
    i64 low = (i64)d->low, high = (i64)d->high;
    for (i64 v = 0; v != -2; v = v == 1 ? -1 : v == -1 ? -2 : 1)
        if (inside(d, v)) room[n++] = v;
    if (!contains(room, n, low)) room[n++] = low;
    if (!contains(room, n, high)) room[n++] = high;
    for (u32 i = 0; i < s->telling_count && n < ROOM; i++)
        if (inside(d, s->telling[i]) && s->telling[i] != low && s->telling[i] != high) room[n++] = s->telling[i];
    *count = n;
    return room;
}

/* Into a pool: the number of choices, then they. 0: there are none. */
static u32 keep(Inside *in, i64 **pool, u64 *used, u64 *room, const i64 *told, u64 count) {
    if (!count) return 0;
    u64 at = *used ? *used : 1;
    if (!grow((void **)pool, at + 2 * count, room, sizeof(i64)) || at >> 31) { in->table.full = 1; return 0; }
    (*pool)[at] = (i64)count;
    copy_bytes(*pool + at + 1, told, 2 * count * sizeof(i64));
    *used = at + 1 + 2 * count;
    return (u32)at;
}

static u32 keep_for_ever(Inside *in, const i64 *told, u64 count) {
    return keep(in, &in->choice_pool, &in->choices_used, &in->choices_room, told, count);
}

static int is_violation(Search *s, u32 slot, u32 count) {
    s->last_slot = slot;
    s->last_choices = keep_for_ever(s->in, s->in->told, count);
    return VIOLATED;
}

static void enter_edge(Inside *in, u32 slot, u32 count, u32 times) {
    u64 n = in->edges_used, parts = in->table.parts;
    int room = grow((void **)&in->edges, n, &in->edge_room, sizeof(Edge))
        && grow((void **)&in->leads, (n + 1) * parts, &in->lead_room, sizeof(u32));
    if (!room) { in->table.full = 1; return; }
    u32 choices = keep(in, &in->edge_choices, &in->edge_choices_used, &in->edge_choices_room, in->told, count);
    Edge e = { slot, choices, times };
    in->edges[n] = e;
    u32 *vector = in->leads + n * parts;
    undo(&in->hand, vector);
    /* It is looked up when all successors are known: by then its place in the index is near. */
    __builtin_prefetch(&in->table.state_index[vector_hash(&in->table, vector) & in->table.state_mask]);
    in->edges_used++;
}

typedef struct { u32 moved, blocked, ended; } Tally;

/* One step on `work`; its footprint behind those that are there, if footprints are wanted. */
static int step(Search *s, u32 slot, u32 count, Detail *d) {
    Inside *in = s->in;
    for (;;) {
        fill_bytes(d, 0, sizeof *d);
        if (s->watch == WATCH_RACES) {
            d->touches = in->touches + in->touched;
            d->touch_room = (u32)(in->touch_room - in->touched);
        }
        int outcome = s->step(in->hand.work, in->hand.watched, slot, in->choices, (i32)count, d);
        if (LIKELY(d->touched <= d->touch_room)) return outcome;
        undo(&in->hand, 0);
        if (!grow((void **)&in->touches, in->touch_room, &in->touch_room, sizeof(Touch))) {
            in->table.full = 1;
            return O_NOT_NATIVE;
        }
    }
}

static int plain_step(Search *s, u32 slot, u32 count) {
    Detail d;
    fill_bytes(&d, 0, sizeof d);
    s->steps++;
    return s->step(s->in->hand.work, s->in->hand.watched, slot, s->in->choices, (i32)count, &d);
}

/* After a step that created a thread which never runs: all further such steps at once, up to one that goes wrong. How
 * many there were, MOST_DORMANT if there is no end of them. */
static u32 create_more(Search *s, u32 slot, u32 count) {
    Hand *hand = &s->in->hand;
    u32 made = 0, pc = pc_of(s, hand->base, slot);
    int outcome = O_MOVED;
    while (outcome == O_MOVED && made < MOST_DORMANT && creates_dormant(s, hand->work, slot))
        made += (outcome = plain_step(s, slot, 0)) == O_MOVED;
    if (outcome == O_UNSUPPORTED || made == MOST_DORMANT) {
        undo(hand, 0);
        if (s->creates_at[pc] == CREATES) s->creates_at[pc] = ENDLESS;
        return MOST_DORMANT;
    }
    if (outcome != O_MOVED) {
        undo(hand, 0);
        plain_step(s, slot, count);
        for (u32 i = 0; i < made; i++) plain_step(s, slot, 0);
    }
    return made;
}

/* Every way one thread can make its next step, the first `count` choices being made. */
static int moves_with(Search *s, u32 slot, u32 count, Tally *tally) {
    Inside *in = s->in;
    Detail d;
    int outcome = step(s, slot, count, &d);
    s->steps++;
    if (s->ended && outcome != O_MOVED && outcome != O_BLOCKED && outcome != O_CHOOSE)
        s->ended(in->hand.work, outcome, &d);
    if (s->loses && outcome != O_MOVED && s->loses(s->leaks, in->hand.work, in->hand.watched, outcome, d.kind)) {
        undo(&in->hand, 0);
        return is_violation(s, slot, count);
    }
    switch (outcome) {
    case O_BLOCKED:
        tally->blocked++;
        return MORE;
    case O_CHOOSE: {
        s->steps--;
        undo(&in->hand, 0);
        i64 room[ROOM];
        u64 tried;
        const i64 *values = values_to_try(s, &d, room, &tried);
        if (count == CHOICES) { s->detail = d; return NOT_NATIVE; }
        for (u64 i = 0; i < tried; i++) {
            in->choices[count] = in->told[2 * count] = values[i];
            in->told[2 * count + 1] = d.is_signed;
            int end = moves_with(s, slot, count + 1, tally);
            if (end != MORE) return end;
        }
        return MORE;
    }
    case O_MOVED: {
        u32 more = creates_dormant(s, in->hand.base, slot) ? create_more(s, slot, count) : 0;
        if (more == MOST_DORMANT) { tally->blocked++; return MORE; }
        enter_edge(in, slot, count, 1 + more);
        tally->moved++;
        in->enabled[slot] = 1;
        in->touched += d.touched;
        return MORE;
    }
    case O_FINISHED: case O_ASSUMPTION: case O_STUCK:
        s->ends++;
        undo(&in->hand, 0);
        break;
    case O_FAILED:
        if (s->of_failed[d.kind] == VIOLATION) { undo(&in->hand, 0); return is_violation(s, slot, count); }
        s->ends++;
        undo(&in->hand, 0);
        break;
    case O_UNDEFINED:
        undo(&in->hand, 0);
        if (s->of_undefined[d.kind] == VIOLATION) return is_violation(s, slot, count);
        if (!s->met++) {
            s->met_state = s->last_state;
            s->met_slot = slot;
            s->met_choices = keep_for_ever(in, in->told, count);
        }
        cut(s, outcome, &d);
        break;
    case O_UNSUPPORTED:
        undo(&in->hand, 0);
        cut(s, outcome, &d);
        break;
    case O_CAPACITY:
        undo(&in->hand, 0);
        s->short_of = d.resource;
        if (!s->goes_on) return SHORT;
        break;
    default:
        s->detail = d;
        return NOT_NATIVE;
    }
    tally->moved++;
    tally->ended++;
    in->enabled[slot] = 1;
    in->touched += d.touched;
    return MORE;
}

static int moves_of(Search *s, u32 slot, Tally *tally) {
    Inside *in = s->in;
    in->tried[slot] = 1;
    in->touches_from[slot] = (u32)in->touched;
    /* Where one that never runs is created over and over, its creator may as well wait. */
    int waits = creates_dormant(s, in->hand.base, slot) && s->creates_at[pc_of(s, in->hand.base, slot)] == ENDLESS;
    tally->blocked += (u32)waits;
    int end = waits ? MORE : moves_with(s, slot, 0, tally);
    in->touches_to[slot] = (u32)in->touched;
    return end;
}

static int races(const Touch *a, const Touch *b) {
    return a->address < b->address + b->size && b->address < a->address + a->size && (a->mode & DATA)
        && (b->mode & DATA) && ((a->mode | b->mode) & MODES) != READ && !(a->mode & b->mode & ATOMIC);
}

/* Whether two threads could next make accesses that race. */
static int is_race(const Search *s) {
    const Inside *in = s->in;
    for (u32 t = 0; t < s->threads; t++)
        for (u32 i = in->touches_from[t]; i < in->touches_to[t]; i++)
            for (u32 other = t + 1; other < s->threads; other++)
                for (u32 j = in->touches_from[other]; j < in->touches_to[other]; j++)
                    if (races(&in->touches[i], &in->touches[j])) return 1;
    return 0;
}
