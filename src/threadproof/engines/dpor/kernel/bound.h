/* Stateless search, bounded: no more than so many preemptions, and no state entered twice.
 *
 * Paper: M. Musuvathi, S. Qadeer, Iterative context bounding for systematic testing of multithreaded programs, PLDI
 * 2007; as explore/por/bounded.py has it.
 * Differs: states met are kept as digests of 64 bits; two states may have the same one, which is why a bounded search
 * never proves anything. No reduction goes with it: what sleeps, or is left out by a source set, may be cheaper than
 * what it is equivalent to (K. Coons, M. Musuvathi, K. McKinley, Bounded partial-order reduction, OOPSLA 2013).
 * Invariants: a preemption is leaving a thread that could have moved on; the thread that moved last is tried first, so
 * that it is known then. A state is told apart by who moved last and the preemptions left, besides who has stopped.
 * A data race is two threads about to access: happens-before would find pairs that need more preemptions. */

static inline u32 moved_last(Dpor *D, const Node *n) { return D->events[n - D->nodes - 1].slot; }

static int preempts(Dpor *D, const Node *n, u32 slot) {
    if (!D->bounded || n == D->nodes) return 0;
    u32 last = moved_last(D, n);
    return slot != last && (n->done & BIT(last));
}

/* Of threads that could be explored next, those that the bound allows. */
static u64 within_bound(Dpor *D, const Node *n, u64 threads) {
    if (!D->bounded || n == D->nodes || n->left || !(n->done & BIT(moved_last(D, n)))) return threads;
    return 0;
}

static u64 mixed(u64 digest, u64 word) {
    digest = (digest ^ word) * 0x9e3779b97f4a7c15ULL;
    return digest ^ (digest >> 29);
}

static u64 digest_of(Dpor *D, const Node *n) {
    const u8 *S = state_at(D, D->depth);
    u64 digest = mixed(mixed(n->left, n->dead), moved_last(D, n)), word = 0;
    u32 i = 0;
    for (; i + 8 <= D->state_size; i += 8) {
        copy_bytes(&word, S + i, 8);
        digest = mixed(digest, word);
    }
    for (; i < D->state_size; i++) digest = mixed(digest, S[i]);
    return digest ? digest : 1;
}

static int enter_digest(u64 *table, u64 room, u64 digest) {
    u64 at = digest & (room - 1);
    for (; table[at]; at = (at + 1) & (room - 1))
        if (table[at] == digest) return 0;
    table[at] = digest;
    return 1;
}

/* Without memory for more, states are entered as often as they are met. */
static void make_room_for_states(Dpor *D) {
    u64 room = D->met_room ? 2 * D->met_room : 1 << 12, *larger = calloc(room, sizeof(u64));
    if (!larger) return;
    for (u64 i = 0; i < D->met_room; i++)
        if (D->met[i]) enter_digest(larger, room, D->met[i]);
    free(D->met);
    D->met = larger;
    D->met_room = room;
}

static int met_before(Dpor *D, const Node *n) {
    if (2 * D->met_count >= D->met_room) make_room_for_states(D);
    if (D->met_count + 1 >= D->met_room) return 0;
    int fresh = enter_digest(D->met, D->met_room, digest_of(D, n));
    D->met_count += fresh;
    return !fresh;
}

/* Whether two threads are about to make accesses that race. */
static int race_is_next(Dpor *D, const Node *n) {
    u8 *S = state_at(D, D->depth);
    const Touch *theirs[MAX_THREADS];
    u32 counts[MAX_THREADS], others = 0;
    Touch *touches = D->room, *end = D->room + (ROOM_EVENTS - 1) * EVENT_TOUCHES;
    for (u32 slot = 0; slot < MAX_THREADS && slot < D->threads && touches < end; slot++) {
        if (!live(D, S, slot) || (n->dead & BIT(slot))) continue;
        copy_bytes(D->scratch, S, D->state_size);
        Ran r = run_event(D, D->scratch, slot, 0, 0, touches, 0);
        if (r.outcome == O_BLOCKED) continue;
        u32 count = r.touched < EVENT_TOUCHES ? r.touched : EVENT_TOUCHES;
        for (u32 i = 0; i < others; i++)
            if (data_race(theirs[i], counts[i], touches, count)) return 1;
        theirs[others] = touches; counts[others++] = count;
        touches += count;
    }
    return 0;
}

/* A state that was met before is closed at once. Answers whether a data race is next. */
static int enter_bounded(Dpor *D, Node *n) {
    if (met_before(D, n)) {
        D->redundant++;
        n->executed = 1;
        n->done = ~0ULL;
        return 0;
    }
    return D->watch_races && race_is_next(D, n);
}
