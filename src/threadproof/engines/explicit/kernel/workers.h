/* Several workers on one table, and what Python calls.
 *
 * A round: every worker expands states (`ts_work`, each in a thread of Python's), from what waits with it, or else from
 * what it steals: the older half of what has the fewest preemptions. A round ends when one has done its share, when an
 * index is crowded, or when nobody has work. What that means is judged between rounds (`ts_between`), when nobody
 * works and nothing can change: so a search is never taken for finished because somebody looked away. */

static int must_stop(const Shared *all) {
    const Table *t = &all->table;
    return is_set(&all->stopped) || is_set(&t->crowded)
        || is_crowded(__atomic_load_n(&t->numbers, __ATOMIC_RELAXED), t->state_mask)
        || is_crowded(__atomic_load_n(&t->contents, __ATOMIC_RELAXED), t->content_mask);
}

static void count_idle(Shared *all, u32 change) { __atomic_fetch_add(&all->idle, change, __ATOMIC_SEQ_CST); }

/* Waits until there is something to steal. 0: nobody has work, or all shall stop. */
static int find_work(Inside *in) {
    Shared *all = in->shared;
    count_idle(all, 1);
    for (u32 spins = 1; !must_stop(all); spins++) {
        if (__atomic_load_n(&all->idle, __ATOMIC_SEQ_CST) == all->jobs) break;
        for (u32 k = 0; k < all->jobs; k++) {
            Inside *from = all->of[k]->in;
            if (from == in || !__atomic_load_n(&from->waiting, __ATOMIC_RELAXED)) continue;
            count_idle(all, -1u);
            if (steal(in, from)) return 1;
            count_idle(all, 1);
        }
        if (spins % 64 == 0) sched_yield();
    }
    return 0;
}

/* Threads take a while to start: without waiting for them a short round is over before all are there. */
static void wait_for_all(Shared *all) {
    enum { LONG_ENOUGH = 20000 };
    __atomic_fetch_add(&all->arrived, 1, __ATOMIC_RELAXED);
    for (u32 spins = 0; spins < LONG_ENOUGH && is_set(&all->arrived) < all->jobs && !must_stop(all); spins++) sched_yield();
}

/* Expand up to so many states; the first who comes back makes the others come back too. */
EXPORT int ts_work(Search *s, u64 count) {
    Inside *in = s->in;
    Shared *all = in->shared;
    Waiting w;
    int end = MORE;
    if (all->jobs > 1) wait_for_all(all);
    for (u64 until = in->expanded + count; end == MORE && in->expanded < until && !must_stop(all);) {
        i64 level = take(in, &w);
        if (level >= 0) end = expand(s, &w, (u64)level);
        else if (all->jobs == 1 || !find_work(in)) break;
    }
    set(&all->stopped, 1);
    s->states = in->found;
    s->waiting = in->waiting;
    s->contents = __atomic_load_n(&in->table->contents, __ATOMIC_RELAXED);
    return is_set(&in->table->full) ? MEMORY : end;
}

/* What has come of a round in which every worker answered MORE. */
EXPORT int ts_between(Search *s) {
    Shared *all = s->in->shared;
    if (!make_room(&all->table)) return MEMORY;
    all->stopped = all->idle = all->arrived = 0;
    int end = waiting_of(all) ? MORE : settle(s);
    s->states = s->in->found;
    s->waiting = s->in->waiting;
    for (u32 k = 0; k < all->jobs && end == DONE; k++) if (all->of[k]->short_of >= 0) end = SHORT;
    return end;
}

/* Both, for one worker. */
EXPORT int ts_run(Search *s, u64 count) {
    int end = MORE;
    for (u64 until = s->in->expanded + count; end == MORE && s->in->expanded < until;) {
        end = ts_work(s, until - s->in->expanded);
        if (end == MORE) end = ts_between(s);
    }
    return end;
}

/* --- a worker comes and goes -------------------------------------------------------------------------------------- */

static void free_inside(Search *s) {
    Inside *in = s->in;
    for (u64 i = 0; i < in->bucket_count; i++) free(in->buckets[i].items);
    hand_close(&in->hand);
    fold_close(in);
    free(in->buckets); free(in->edges); free(in->leads); free(in->vector); free(in->edge_choices);
    free(in->enabled); free(in->touches_from); free(in->touches); free(in->order);
    free(in);
    s->in = 0;
}

/* Of the first worker, for all. */
EXPORT void ts_close(Search *s) {
    Shared *all = s->in ? s->in->shared : 0;
    for (u32 k = all ? all->jobs : 0; k--;) free_inside(all->of[k]);
    if (!all) return;
    table_close(&all->table);
    give_back(all->choice_pool, all->choices_room * sizeof(i64));
    free(all);
}

static int open_inside(Search *s, Shared *all) {
    Inside *in = s->in;
    in->shared = all;
    in->table = &all->table;
    all->of[all->jobs++] = s;
    if (!hand_open(&in->hand, in->table, s->state_size) || !fold_open(s)) return 0;
    in->vector = malloc(in->table->parts * sizeof(u32));
    in->enabled = calloc(2, s->threads);
    in->order = malloc(s->threads);
    in->touches_from = calloc(2 * s->threads, sizeof(u32));
    int room = grow((void **)&in->touches, 0, &in->touch_room, sizeof(Touch));
    if (!room || !in->vector || !in->enabled || !in->touches_from || !in->order) return 0;
    in->touches_to = in->touches_from + s->threads;
    in->tried = in->enabled + s->threads;
    for (u32 t = 0; t < s->threads; t++) in->order[t] = (u8)t;
    return 1;
}

/* Another worker beside the first. */
EXPORT int ts_join(Search *s, Search *first) {
    if (first->in->shared->jobs == MOST_JOBS) return MEMORY;
    s->in = calloc(1, sizeof(Inside));
    return s->in && open_inside(s, first->in->shared) ? MORE : MEMORY;
}

EXPORT int ts_open(Search *s) {
    Shared *all = calloc(1, sizeof(Shared));
    Inside *in = s->in = calloc(1, sizeof(Inside));
    if (!all || !in) { free(all); free(in); s->in = 0; return MEMORY; }
    Table *t = &all->table;
    int opened = table_open(t, s->areas, s->area_count, s->threads_at, s->thread_size, s->threads);
    if (!opened || !open_inside(s, all)) return MEMORY;
    if (in->folds) t->kept = t->parts, t->row += t->parts;
    all->choice_pool = reserve(1ULL << 31, sizeof(i64), &all->choices_room);
    if (!table_reserve(t) || !all->choice_pool) return MEMORY;
    vector_of(&in->hand, s->initial, in->vector);
    Edge none = { 0, 0, 1 };
    return add(s, in->vector, ~0u, none, 0, NOBODY) == NOTHING ? MEMORY : MORE;
}

/* The bytes of a state. */
EXPORT void ts_block(Search *s, u64 state, u8 *out) {
    load(&s->in->hand, state);
    copy_bytes(out, s->in->hand.base, s->state_size);
}

static u64 write_move(const Inside *in, u32 slot, u32 choices, i32 *moves, i64 *out) {
    u64 count = choices ? (u64)in->shared->choice_pool[choices] : 0;
    moves[0] = (i32)slot;
    moves[1] = (i32)count;
    if (out && count) copy_bytes(out, in->shared->choice_pool + choices + 1, 2 * count * sizeof(i64));
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
    for (u64 state = s->last_state; node_of(in->table, state)->parent != ~0u; state = node_of(in->table, state)->parent) {
        const Node *node = node_of(in->table, state);
        for (u32 i = 1; i < node->times; i++, n++) write_move(in, node->slot, 0, moves ? moves + 2 * n : nowhere, 0);
        c += write_move(in, node->slot, node->choices, moves ? moves + 2 * n : nowhere, choices ? choices + 2 * c : 0);
        n++;
    }
    *choice_count = c;
    return n;
}
