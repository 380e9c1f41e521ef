/* Expansion.
 *
 * Not all threads are moved in every state: a thread whose next step concerns nobody else (PENDING_LOCAL, PENDING_END,
 * or a step that `analysis.footprints.quiet` says commutes with all that others do) is moved alone, else the threads of a smallest
 * persistent set (`persistent.h`). All threads are moved
 * - if a step of the set ends the execution, which hides what others would have done;
 * - where otherwise somebody would be postponed for ever (`proviso.h`).
 *
 * Why nothing is missed: let w lead from a state to a violation (an error, a deadlock, two accesses that race). Either
 * some move of w is by a thread of the set; the first such commutes with those before it and can be made at once, and
 * what is left of w is shorter. Or none is; then w can be made after any move of the set, none of which ends the
 * execution, and some of them lead towards a state in which all threads are moved. A deadlock has no such moves. Memory that is lost
 * after w stays lost after such a move: what the move read is still there to be found, because whoever ends the life of
 * what holds a pointer (a local, also main's at the end of the process; thread-local data) touches it. Two accesses that
 * race conflict: if one of them is by a thread of the set and is its next, the other thread is in the set too, and
 * stands before its access now; so it is enough to look for races among the threads that were moved. */

static u64 mixed(u64 h, u64 digest) { return (h ^ digest) * 0x9e3779b97f4a7c15ULL + (h >> 29); }

/* Something that says the same of a state in every search: what its parts hold, not their numbers. */
static u64 rank_of(const Table *t, u64 state) {
    const u32 *key = row_of(t, state);
    u64 h = 0;
    for (u32 i = 0; i < t->parts; i++) {
        u32 pieces = t->part[i].end - t->part[i].first;
        const u32 *piece = (const u32 *)words_of(t, key[i]);
        if (pieces == 1) h = mixed(h, content_at(t, key[i])->digest);
        else for (u32 p = 0; p < pieces; p++) h = mixed(h, content_at(t, piece[p])->digest);
    }
    return h ^ (h >> 32);
}

/* Nobody is postponed for ever, also where there is no end of states: one of PATIENCE is expanded in full. */
static int is_picked(const Table *t, u64 state) { return rank_of(t, state) % PATIENCE == 0; }

/* The number of a successor, whether it is new or not; NOTHING without room. */
static u64 add(Search *s, const u32 *vector, u64 parent, Edge e, u64 level, u16 last) {
    Inside *in = s->in;
    const i64 *choices = in->edge_choices + e.choices;
    Node n = { (u32)parent, 0, (u16)e.slot, (u16)e.times, NOT_YET };
    int fresh = 0;
    u64 number = state_of(in->table, &in->numbers, key_of(s, vector), vector, n, &fresh);
    if (!fresh) return number;
    if (e.choices) node_of(in->table, number)->choices = keep_for_ever(in, choices + 1, (u64)choices[0]);
    in->found++;
    Waiting w = { (u32)number, last, 0 };
    return put(in, level, w) ? number : NOTHING;
}

/* Enter the successors, the first of them last: the search is depth-first. */
static int go_on(Search *s, const Waiting *w, u64 level, int reduced) {
    Inside *in = s->in;
    int last_can = w->last != NOBODY && in->enabled[w->last];
    u32 onward = FULL;
    for (u64 i = 0; !in->folds && i < in->edges_used; i++) look_ahead(in->table, in->leads + i * in->table->parts);
    for (u64 i = in->edges_used; i--;) {
        Edge e = in->edges[i];
        u64 above = level + (u64)(last_can && e.slot != w->last), known = in->found;
        u64 number = add(s, in->leads + i * in->table->parts, w->state, e, above, (u16)e.slot);
        if (number == NOTHING) return is_set(&in->table->crowded) ? MORE : MEMORY;
        if (reduced && (onward == FULL || in->found > known)) onward = (u32)number;
    }
    node_of(in->table, w->state)->onward = onward;
    return MORE;
}

/* Moves the threads of persistent sets until one moved. */
static int move_few(Search *s, Tally *tally) {
    u64 set;
    if (!s->in->now.live) return MORE;
    while (!tally->moved && (set = smallest_set(s))) {
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

static int move_first(Search *s, Tally *tally) {
    u32 first;
    while (!tally->moved && (first = who_goes_first(s)) < s->threads) {
        int end = moves_of(s, first, tally);
        if (end != MORE) return end;
    }
    if (tally->moved) return MORE;
    look_around(s);
    return move_few(s, tally);
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
    int stuck = live && tally->blocked == live && !has_dormant(&s->crowd, in->hand.base);
    return s->watch == WATCH_DEADLOCKS && stuck ? is_violation(s, s->threads, 0) : MORE;
}

/* The state at hand. */
static void stand_at(Search *s, u64 state) {
    Inside *in = s->in;
    load(&in->hand, state);
    in->edges_used = in->edge_choices_used = in->touched = in->looked = 0;
    fill_bytes(in->touches_to, 0, s->threads * sizeof(u32));
    fill_bytes(in->enabled, 0, 2 * s->threads);     /* and `tried` */
    s->last_state = state;
}

static int successors(Search *s, const Waiting *w, int *reduced) {
    Inside *in = s->in;
    Tally tally = { 0, 0, 0 };
    int all = s->reduction == REDUCE_NOT || w->forced, end = MORE;
    stand_at(s, w->state);
    if (s->loses && !w->forced && s->loses(s->leaks, in->hand.base, in->hand.watched, O_MOVED, 0))
        return is_violation(s, s->threads, 0);
    if (!all) {
        find_order(s, vector_at(in->table, w->state));
        if ((end = move_first(s, &tally)) != MORE) return end;
    }
    *reduced = tally.moved && !tally.ended && !is_picked(in->table, w->state);
    if (!*reduced && (end = move_all(s, &tally)) != MORE) return end;
    return s->watch == WATCH_RACES && is_race(s) ? is_violation(s, s->threads, 0) : MORE;
}

/* Where an index has no place left the state waits again, as if nothing had happened. */
static int expand(Search *s, const Waiting *w, u64 level) {
    Inside *in = s->in;
    u64 steps = s->steps, ends = s->ends;
    int reduced, end = successors(s, w, &reduced);
    if (end == MORE) end = go_on(s, w, level, reduced);
    if (is_set(&in->table->full)) return MEMORY;
    if (end != MORE || !is_set(&in->table->crowded)) { in->expanded++; return end; }
    s->steps = steps;
    s->ends = ends;
    return put(in, level, *w) ? MORE : MEMORY;
}
