/* Which threads are asked to move first. */

/* Who is chosen depends on the state alone, so that the states visited do not depend on the order of the search.
 *
 * The thread that may move alone: the first whose step is local, else the first that stands at a quiet step; `threads`
 * if there is none. One that cannot move now has been tried already. */
static u32 who_goes_first(const Search *s) {
    const Inside *in = s->in;
    const u8 *state = in->hand.base;
    u32 quiet = s->threads;
    if (s->reduction == REDUCE_NOT) return s->threads;
    for (u32 i = 0; i < s->threads; i++) {
        u32 t = in->order[i];
        if (in->tried[t] || !is_live(s, state, t)) continue;
        if (pending_of(s, state, t) != PENDING_VISIBLE || is_creating(s, state, t)) return t;
        if (quiet == s->threads && is_quiet(s, state, t)) quiet = t;
    }
    return quiet;
}

static const u8 *thread_at(const Search *s, u32 slot) {
    return s->in->hand.base + s->threads_at + slot * s->thread_size;
}

/* Into `now`; nobody lives there if nothing can be said: there are many threads, one is inside an atomic block, nothing
 * is known about the program. */
static void look_around(Search *s) {
    Situation *now = &s->in->now;
    u64 exists = 0;
    if (s->in->looked) return;
    s->in->looked = 1;
    now->live = now->waiting = 0;
    if (s->reduction < REDUCE_PERSISTENT || !s->facts || s->threads > MOST_THREADS) return;
    now->block = s->in->hand.base;
    if (word_at(now->block, 0)) return;
    for (u32 t = 0; t < s->threads; t++) {
        u8 phase = *thread_at(s, t);
        if (phase == PHASE_NONE) continue;
        exists |= 1ULL << t;
        if (phase != PHASE_FINISHED) now->live |= 1ULL << t;
    }
    find_holders(s->facts, now);
    for (u64 rest = now->live; rest; rest &= rest - 1) {
        u32 t = (u32)__builtin_ctzll(rest);
        const u8 *thread = thread_at(s, t);
        find_stand(s->facts, now, thread, t, word_at(thread, s->pc_at), exists);
    }
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

/* A persistent set with fewest threads that may move, around one that was not tried yet; 0 if that is all of them.
 * Among equals that of the thread created last: its creators mostly wait for it. */
static u64 smallest_set(const Search *s) {
    const Situation *now = &s->in->now;
    u64 todo = now->live & ~now->waiting & ~tried_threads(s), movable = todo, best = 0;
    int fewest = __builtin_popcountll(movable);
    for (u32 i = s->threads; todo && fewest > 1 && i--;) {
        u64 one = 1ULL << s->in->order[i];
        if (!(todo & one)) continue;
        u64 set = closed(s, one);
        int count = __builtin_popcountll(set & movable);
        if (count < fewest) { best = set; fewest = count; }
    }
    return best;
}
