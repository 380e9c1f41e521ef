/* Expansion, and what Python calls.
 *
 * Not all threads are moved in every state: a thread whose next step concerns nobody else (PENDING_LOCAL, PENDING_END,
 * or a step that `analysis.footprints.quiet` says commutes with all that others do) is moved alone, else the threads of a smallest
 * persistent set (`persistent.h`). All threads are moved
 * - if all successors have been expanded already, or after PATIENCE reduced states on the way: nobody is postponed for
 *   ever (D. Bošnački, S. Leue, A. Lluch Lafuente, Partial-order reduction for general state exploring algorithms,
 *   STTT 11, 2009);
 * - if a step of the set ends the execution, which hides what others would have done.
 *
 * Why nothing is missed: let w lead from a state to a violation (an error, a deadlock, two accesses that race). Either
 * some move of w is by a thread of the set; the first such commutes with those before it and can be made at once, and
 * what is left of w is shorter. Or none is; then w can be made after any move of the set, none of which ends the
 * execution, and one of them leads to a state that is expanded later. A deadlock has no such moves. Memory that is lost
 * after w stays lost after such a move: what the move read is still there to be found, because whoever ends the life of
 * what holds a pointer (a local, also main's at the end of the process; thread-local data) touches it. Two accesses that
 * race conflict: if one of them is by a thread of the set and is its next, the other thread is in the set too, and
 * stands before its access now; so it is enough to look for races among the threads that were moved. */

/* The proviso: a successor is still to be expanded. */
static int leads_on(Search *s) {
    const Inside *in = s->in;
    for (u64 i = 0; i < in->edges_used; i++) {
        u64 known = known_state(&in->table, key_of(s, in->leads + i * in->table.parts));
        if (known == ~0ULL || !(note_of(&in->table, known)->due & EXPANDED)) return 1;
    }
    return 0;
}

static int add(Search *s, const u32 *vector, u64 parent, Edge e, u64 level, u16 last, u32 alone, u32 asleep) {
    Inside *in = s->in;
    u64 before = in->table.states, number = state_of(&in->table, key_of(s, vector), vector);
    if (in->table.full) return 0;
    if (in->table.states == before) return !in->sleeps || awaken(in, number, asleep, level, last);
    note_of(&in->table, number)->asleep = asleep;
    if (!grow((void **)&in->nodes, number, &in->node_room, sizeof(Node))) return 0;
    const i64 *choices = in->edge_choices + e.choices;
    Node n = { (u32)parent, e.slot, e.choices ? keep_for_ever(in, choices + 1, (u64)choices[0]) : 0, e.times };
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
        u32 asleep = in->sleeps ? asleep_after(s, e.slot) : 0;
        if (!add(s, in->leads + i * in->table.parts, w->state, e, above, (u16)e.slot, alone, asleep)) return MEMORY;
    }
    return in->table.full ? MEMORY : MORE;
}

/* Moves the threads of persistent sets until one moved. */
static int move_few(Search *s, u32 last, Tally *tally) {
    u64 set;
    if (!s->in->now.live) return MORE;
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
    if (tally->moved) return MORE;
    look_around(s);
    return move_few(s, w->last, tally);
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
    int stuck = live && tally->blocked == live && !has_dormant(s, in->hand.base);
    return s->watch == WATCH_DEADLOCKS && stuck ? is_violation(s, s->threads, 0) : MORE;
}

static int expand(Search *s, const Waiting *w, u64 level) {
    Inside *in = s->in;
    Tally tally = { 0, 0, 0 };
    load(&in->hand, w->state);
    in->edges_used = in->edge_choices_used = in->touched = in->looked = 0;
    fill_bytes(in->touches_to, 0, s->threads * sizeof(u32));
    fill_bytes(in->enabled, 0, 2 * s->threads);     /* and `tried` */
    Note *note = note_of(&in->table, w->state);
    int again = (note->due & EXPANDED) != 0;
    if (in->sleeps) lay_to_rest(s, note);
    note->due = EXPANDED;
    s->last_state = w->state;
    if (s->loses && !again && s->loses(s->leaks, in->hand.base, in->hand.watched, O_MOVED, 0))
        return is_violation(s, s->threads, 0);
    int end = s->reduction == REDUCE_NOT || again ? MORE : move_first(s, w, &tally);
    if (end != MORE) return end;
    int reduced = tally.moved && !tally.ended && !again && w->alone < PATIENCE && leads_on(s);
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
    fold_close(in);
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
    if (!hand_open(&in->hand, &in->table, s->state_size) || !fold_open(s)) return MEMORY;
    in->vector = malloc(in->table.parts * sizeof(u32));
    in->enabled = calloc(2, s->threads);
    in->touches_from = calloc(2 * s->threads, sizeof(u32));
    int room = grow((void **)&in->touches, 0, &in->touch_room, sizeof(Touch));
    if (!room || !in->vector || !in->enabled || !in->touches_from) return MEMORY;
    in->sleeps = s->reduction == REDUCE_SLEEP && !in->folds && s->watch != WATCH_RACES && s->facts && s->threads <= MOST_ASLEEP;
    in->touches_to = in->touches_from + s->threads;
    in->tried = in->enabled + s->threads;
    vector_of(&in->hand, s->initial, in->vector);
    Edge none = { 0, 0, 1 };
    if (in->table.full || !add(s, in->vector, ~0u, none, 0, NOBODY, 0, 0)) return MEMORY;
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

/* The bytes of a state. */
EXPORT void ts_block(Search *s, u64 state, u8 *out) {
    load(&s->in->hand, state);
    copy_bytes(out, s->in->hand.base, s->state_size);
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
    for (u64 state = s->last_state; in->nodes[state].parent != ~0u; state = in->nodes[state].parent) {
        const Node *node = &in->nodes[state];
        for (u32 i = 1; i < node->times; i++, n++) write_move(in, node->slot, 0, moves ? moves + 2 * n : nowhere, 0);
        c += write_move(in, node->slot, node->choices, moves ? moves + 2 * n : nowhere, choices ? choices + 2 * c : 0);
        n++;
    }
    *choice_count = c;
    return n;
}
