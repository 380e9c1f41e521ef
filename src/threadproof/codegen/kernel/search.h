/* The stateful search: no state twice, few preemptions first. Compiled once for all programs: a machine is its
 * `tp_step` and where threads lie in its block. The reference is `engines.explicit.reference`.
 *
 * Not all threads are moved in every state: a thread whose next step concerns nobody else (PENDING_LOCAL, PENDING_END,
 * or a step that `analysis.quiet` says commutes with all that others do) is moved alone, else the threads of a smallest
 * persistent set (`persistent.h`). All threads are moved
 * - if all successors have been expanded already, or after PATIENCE reduced states on the way: nobody is postponed for
 *   ever (H. Evangelista, C. Pajault, Solving the ignoring problem for partial order reduction, STTT 12, 2010);
 * - if a step of the set ends the execution, which hides what others would have done.
 *
 * Why nothing is missed: let w lead from a state to a violation (an error, a deadlock, two accesses that race). Either
 * some move of w is by a thread of the set; the first such commutes with those before it and can be made at once, and
 * what is left of w is shorter. Or none is; then w can be made after any move of the set, none of which ends the
 * execution, and one of them leads to a state that is expanded later. A deadlock has no such moves. Two accesses that
 * race conflict: if one of them is by a thread of the set and is its next, the other thread is in the set too, and
 * stands before its access now; so it is enough to look for races among the threads that were moved. */

enum { MORE, DONE, VIOLATED, NOT_NATIVE, SHORT, MEMORY };
enum { END, CUT, VIOLATION };                       /* what an outcome means for the property */
enum { WATCH_NOTHING, WATCH_RACES, WATCH_DEADLOCKS };
enum { REDUCE_NOT, REDUCE_LOCAL, REDUCE_PERSISTENT };

#define PATIENCE 100
#define STRETCH 64                                  /* turns of one kind in a row */
#define ALL 256                                     /* domains up to this size are enumerated */
#define ROOM 512                                    /* telling values of a wide one */
#define CHOICES 256                                 /* in one step */
#define NOBODY 0xffff

typedef int (*Step)(u8 *state, u8 *watched, u32 slot, const i64 *choices, i32 given, Detail *d);

typedef struct { u32 state; u16 last, alone; } Waiting;
typedef struct { Waiting *items; u64 first, end, room; } Bucket;
typedef struct { u32 parent; u16 slot, expanded; u32 choices; } Node;  /* choices: 0, or where in the pool they stand */
typedef struct { u32 slot, choices; } Edge;

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
    Situation now;
    u64 touched, touch_room;
    u32 *touches_from, *touches_to;                 /* by slot */
    i64 choices[CHOICES], told[2 * CHOICES];        /* made so far; told: each with whether it is signed */
} Inside;

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
    const u32 *values_at;                           /* by program counter: 0, or where in `values` a list begins */
    const i64 *values;                              /* lists: their length, then the values */
    /* the answer */
    u64 states, steps, ends, waiting, contents;
    i32 cut, cut_outcome;                           /* why `true` cannot be said: how often, and the first */
    i32 short_of;                                   /* the room that was too small; -1: none */
    Detail detail;                                  /* of `cut_outcome`, or of what ended the search */
    u64 last_state, last_slot, last_choices;        /* of a violation; last_slot == threads: the state itself */
    Inside *in;
} Search;

static u8 phase_of(const Search *s, const u8 *state, u32 slot) { return state[s->threads_at + slot * s->thread_size]; }
static u8 pending_of(const Search *s, const u8 *state, u32 slot) {
    return state[s->threads_at + slot * s->thread_size + 1];
}
static int is_quiet(const Search *s, const u8 *state, u32 slot) {
    return s->quiet_at[word_at(state, s->threads_at + slot * s->thread_size + s->pc_at)];
}
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

static void enter_edge(Inside *in, u32 slot, u32 count) {
    u64 n = in->edges_used, parts = in->table.parts;
    int room = grow((void **)&in->edges, n, &in->edge_room, sizeof(Edge))
        && grow((void **)&in->leads, (n + 1) * parts, &in->lead_room, sizeof(u32));
    if (!room) { in->table.full = 1; return; }
    u32 choices = keep(in, &in->edge_choices, &in->edge_choices_used, &in->edge_choices_room, in->told, count);
    Edge e = { slot, choices };
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

/* Every way one thread can make its next step, the first `count` choices being made. */
static int moves_with(Search *s, u32 slot, u32 count, Tally *tally) {
    Inside *in = s->in;
    Detail d;
    int outcome = step(s, slot, count, &d);
    s->steps++;
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
    case O_MOVED:
        enter_edge(in, slot, count);
        tally->moved++;
        in->enabled[slot] = 1;
        in->touched += d.touched;
        return MORE;
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
    int end = moves_with(s, slot, 0, tally);
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

/* The proviso: a successor is still to be expanded. */
static int leads_on(const Inside *in) {
    for (u64 i = 0; i < in->edges_used; i++) {
        u64 known = known_state(&in->table, in->leads + i * in->table.parts);
        if (known == ~0ULL || !in->nodes[known].expanded) return 1;
    }
    return 0;
}

static int add(Search *s, const u32 *vector, u64 parent, Edge e, u64 level, u16 last, u32 alone) {
    Inside *in = s->in;
    u64 before = in->table.states, number = state_of(&in->table, vector);
    if (in->table.states == before) return 1;
    if (!grow((void **)&in->nodes, number, &in->node_room, sizeof(Node))) return 0;
    const i64 *choices = in->edge_choices + e.choices;
    Node n = { (u32)parent, (u16)e.slot, 0, e.choices ? keep_for_ever(in, choices + 1, (u64)choices[0]) : 0 };
    in->nodes[number] = n;
    Waiting w = { (u32)number, last, (u16)alone };
    return put(in, level, w);
}

/* Enter the successors, the first of them last: the search is depth-first. */
static int go_on(Search *s, const Waiting *w, u64 level, u32 alone) {
    Inside *in = s->in;
    int last_can = w->last != NOBODY && in->enabled[w->last];
    for (u64 i = in->edges_used; i--;) {
        Edge e = in->edges[i];
        u64 above = level + (u64)(last_can && e.slot != w->last);
        if (!add(s, in->leads + i * in->table.parts, w->state, e, above, (u16)e.slot, alone)) return MEMORY;
    }
    return in->table.full ? MEMORY : MORE;
}

/* The thread that may move alone: the first whose step is local, else the first that stands at a quiet step; `threads`
 * if there is none. One that cannot move now has been tried already. */
static u32 who_goes_first(const Search *s) {
    const Inside *in = s->in;
    const u8 *state = in->hand.base;
    u32 quiet = s->threads;
    if (s->reduction == REDUCE_NOT) return s->threads;
    for (u32 t = 0; t < s->threads; t++) {
        if (in->tried[t] || !is_live(s, state, t)) continue;
        if (pending_of(s, state, t) != PENDING_VISIBLE) return t;
        if (quiet == s->threads && is_quiet(s, state, t)) quiet = t;
    }
    return quiet;
}

/* --- persistent sets ---------------------------------------------------------------------------------------------- */

static const u8 *thread_at(const Search *s, u32 slot) {
    return s->in->hand.base + s->threads_at + slot * s->thread_size;
}

/* Into `now`; 0 if nothing can be said: there are many threads, one is inside an atomic block, nothing is known. */
static int look_around(Search *s) {
    Situation *now = &s->in->now;
    u64 exists = 0;
    if (s->reduction < REDUCE_PERSISTENT || !s->facts || s->threads > MOST_THREADS) return 0;
    now->block = s->in->hand.base;
    if (word_at(now->block, 0)) return 0;
    now->live = now->waiting = 0;
    for (u32 t = 0; t < s->threads; t++) {
        u8 phase = *thread_at(s, t);
        if (phase == PHASE_NONE) continue;
        exists |= 1ULL << t;
        if (phase != PHASE_FINISHED) now->live |= 1ULL << t;
    }
    if (!(now->live & (now->live - 1))) return 0;
    find_holders(s->facts, now);
    for (u64 rest = now->live; rest; rest &= rest - 1) {
        u32 t = (u32)__builtin_ctzll(rest);
        const u8 *thread = thread_at(s, t);
        find_stand(s->facts, now, thread, t, word_at(thread, s->pc_at), exists);
    }
    return 1;
}

/* The locks that members hold and nobody outside releases. */
static u32 kept_by(const Search *s, u64 set) {
    const Situation *now = &s->in->now;
    u32 kept = 0;
    for (u32 rest = now->held; rest; rest &= rest - 1) {
        u32 lock = (u32)__builtin_ctz(rest);
        u64 outside = now->live & ~set;
        if (now->holder[lock] == MOST_THREADS || !(set >> now->holder[lock] & 1)) continue;
        for (; outside; outside &= outside - 1) {
            const u8 *thread = thread_at(s, (u32)__builtin_ctzll(outside));
            if (ahead_of(s->facts, thread, word_at(thread, s->pc_at), 1 + lock).releases >> lock & 1) break;
        }
        if (!outside) kept |= 1u << lock;
    }
    return kept;
}

static u64 closed(const Search *s, u64 set) {
    const Situation *now = &s->in->now;
    for (;;) {
        u32 kept = now->held ? kept_by(s, set) : 0;
        Bits need = needs(now, set, kept);
        u64 more = 0;
        for (u64 rest = set; rest; rest &= rest - 1) more |= now->stand[__builtin_ctzll(rest)].joins;
        for (u64 rest = now->live & ~set & ~more; rest; rest &= rest - 1) {
            u32 t = (u32)__builtin_ctzll(rest);
            const u8 *thread = thread_at(s, t);
            if (interferes(s->facts, now, thread, word_at(thread, s->pc_at), t, set, kept, need)) more |= 1ULL << t;
        }
        more &= ~set;
        if (!more) return set;
        set |= more;
    }
}

static u64 tried_threads(const Search *s) {
    u64 set = 0;
    for (u32 t = 0; t < s->threads; t++) set |= (u64)s->in->tried[t] << t;
    return set;
}

/* A persistent set with fewest threads that may move, around one that was not tried yet; 0 if that is all of them. The
 * thread that moved last is asked first: among equals there shall be few switches. */
static u64 smallest_set(const Search *s, u32 last) {
    const Situation *now = &s->in->now;
    u64 todo = now->live & ~now->waiting & ~tried_threads(s), movable = todo, best = 0;
    int fewest = __builtin_popcountll(movable);
    while (todo && fewest > 1) {
        u64 one = last < s->threads && (todo >> last & 1) ? 1ULL << last : todo & -todo;
        u64 set = closed(s, one);
        int count = __builtin_popcountll(set & movable);
        if (count < fewest) { best = set; fewest = count; }
        todo &= ~one;
    }
    return best;
}

/* Moves the threads of persistent sets until one moved. */
static int move_few(Search *s, u32 last, Tally *tally) {
    u64 set;
    if (!look_around(s)) return MORE;
    while (!tally->moved && (set = smallest_set(s, last))) {
        for (; set; set &= set - 1) {
            u32 t = (u32)__builtin_ctzll(set);
            if (s->in->tried[t]) continue;
            int end = moves_of(s, t, tally);
            if (end != MORE) return end;
        }
    }
    return MORE;
}

/* --- expansion ---------------------------------------------------------------------------------------------------- */

static int move_first(Search *s, const Waiting *w, Tally *tally) {
    u32 first;
    while (!tally->moved && (first = who_goes_first(s)) < s->threads) {
        int end = moves_of(s, first, tally);
        if (end != MORE) return end;
    }
    return tally->moved ? MORE : move_few(s, w->last, tally);
}

static int move_all(Search *s, Tally *tally) {
    Inside *in = s->in;
    u32 live = 0;
    for (u32 t = 0; t < s->threads; t++) {
        live += (u32)is_live(s, in->hand.base, t);
        if (in->tried[t] || !is_live(s, in->hand.base, t)) continue;
        int end = moves_of(s, t, tally);
        if (end != MORE) return end;
    }
    return s->watch == WATCH_DEADLOCKS && live && tally->blocked == live ? is_violation(s, s->threads, 0) : MORE;
}

static int expand(Search *s, const Waiting *w, u64 level) {
    Inside *in = s->in;
    Tally tally = { 0, 0, 0 };
    load(&in->hand, w->state);
    in->edges_used = in->edge_choices_used = in->touched = 0;
    fill_bytes(in->touches_to, 0, s->threads * sizeof(u32));
    fill_bytes(in->enabled, 0, 2 * s->threads);     /* and `tried` */
    in->nodes[w->state].expanded = 1;
    s->last_state = w->state;
    int end = s->reduction == REDUCE_NOT ? MORE : move_first(s, w, &tally);
    if (end != MORE) return end;
    int reduced = tally.moved && !tally.ended && w->alone < PATIENCE && leads_on(in);
    if (!reduced && (end = move_all(s, &tally)) != MORE) return end;
    if (s->watch == WATCH_RACES && is_race(s)) return is_violation(s, s->threads, 0);
    return go_on(s, w, level, reduced ? w->alone + 1u : 0);
}

/* --- what Python calls -------------------------------------------------------------------------------------------- */

EXPORT void ts_close(Search *s) {
    Inside *in = s->in;
    if (!in) return;
    for (u64 i = 0; i < in->bucket_count; i++) free(in->buckets[i].items);
    table_close(&in->table);
    hand_close(&in->hand);
    free(in->nodes); free(in->choice_pool); free(in->buckets); free(in->edges); free(in->leads); free(in->vector);
    free(in->edge_choices);
    free(in->enabled); free(in->touches_from); free(in->touches);
    free(in);
    s->in = 0;
}

EXPORT int ts_open(Search *s) {
    Inside *in = s->in = calloc(1, sizeof(Inside));
    if (!in) return MEMORY;
    if (!table_open(&in->table, s->areas, s->area_count, s->threads_at, s->thread_size, s->threads)) return MEMORY;
    if (!hand_open(&in->hand, &in->table, s->state_size)) return MEMORY;
    in->vector = malloc(in->table.parts * sizeof(u32));
    in->enabled = calloc(2, s->threads);
    in->touches_from = calloc(2 * s->threads, sizeof(u32));
    int room = grow((void **)&in->touches, 0, &in->touch_room, sizeof(Touch));
    if (!room || !in->vector || !in->enabled || !in->touches_from) return MEMORY;
    in->touches_to = in->touches_from + s->threads;
    in->tried = in->enabled + s->threads;
    vector_of(&in->hand, s->initial, in->vector);
    Edge none = { 0, 0 };
    if (in->table.full || !add(s, in->vector, ~0u, none, 0, NOBODY, 0)) return MEMORY;
    return MORE;
}

/* Expand up to so many states. */
EXPORT int ts_run(Search *s, u64 count) {
    Inside *in = s->in;
    int end = MORE;
    Waiting w;
    while (end == MORE && count--) {
        i64 level = take(in, &w);
        if (level < 0) { end = s->short_of < 0 ? DONE : SHORT; break; }
        end = expand(s, &w, (u64)level);
        if (in->table.full) end = MEMORY;
    }
    s->states = in->table.states;
    s->contents = in->table.contents;
    s->waiting = 0;
    for (u64 i = 0; i < in->bucket_count; i++) s->waiting += in->buckets[i].end - in->buckets[i].first;
    return end;
}

static u64 write_move(const Inside *in, u32 slot, u32 choices, i32 *moves, i64 *out) {
    u64 count = choices ? (u64)in->choice_pool[choices] : 0;
    moves[0] = (i32)slot;
    moves[1] = (i32)count;
    if (out && count) copy_bytes(out, in->choice_pool + choices + 1, 2 * count * sizeof(i64));
    return count;
}

/* The moves to the violation, last first: of each the slot and the number of choices; the choices one after the other,
 * each with whether it is signed. Without room only the numbers of both are told. */
EXPORT u64 ts_path(const Search *s, i32 *moves, i64 *choices, u64 *choice_count) {
    const Inside *in = s->in;
    i32 nowhere[2];
    u64 n = 0, c = 0;
    if (s->last_slot < s->threads) {
        c = write_move(in, (u32)s->last_slot, (u32)s->last_choices, moves ? moves : nowhere, choices);
        n = 1;
    }
    for (u64 state = s->last_state; in->nodes[state].parent != ~0u; state = in->nodes[state].parent, n++)
        c += write_move(in, in->nodes[state].slot, in->nodes[state].choices, moves ? moves + 2 * n : nowhere,
                        choices ? choices + 2 * c : 0);
    *choice_count = c;
    return n;
}
