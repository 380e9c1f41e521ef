/* Stateless search, fifth part: several workers on one tree of executions.
 *
 * Every worker is a depth-first search with stacks of its own. Who has nothing asks; a worker that finds in the shallowest
 * node of its path something that it has not begun makes the nodes up to there junctions, copies what stands on its
 * stacks up to there to the one who asks, and both go on, each taking from the junction what is next there.
 *
 * Why each trace is still explored exactly once. What decides whether a race is reversed, and what sleeps, is the order in
 * which the children of a node are begun (their turns). An event sleeps for the turns after its own, whether it is done with or not:
 * so no two executions are equivalent. What a race plans in a node is left out if an earlier turn covers it, is appended
 * if nothing does, and if a later turn leads to it, it is planned behind that one, as if that had not been begun. The last matters:
 * behind a branch that is not the end of its sequence threads may sleep, and what is explored there is not
 * explored in full; it relies on what earlier turns plan there (taking a later turn that was begun for one that covers
 * loses 2 to 28 of 784 executions of three threads with a semaphore). So each node sees what it would see if the turns were explored
 * one after the other, but for the order in which plans come, and for that the argument of the paper has no use. Behind the end of a sequence
 * nobody sleeps and everything is explored, so nothing is planned there from outside. Plans are not lost: who plans in
 * a node, or behind a branch of it, comes back there.
 *
 * The search is over when all ask: who gives takes the other's question back first, so work is never on its way then. */

enum { WORKING, WITHOUT, ASKING, SERVED, GIVEN };   /* Dpor.asks: has work; has none; asks; is being given; was */

static int has_more(Dpor *D, Node *n, u32 depth) {
    u64 begun = n->current == NOBODY ? 0 : BIT(n->current);
    int more = n->tree || (candidates(D, n, depth) & ~begun) || (n->shared && begun) || waiting_branch(n);
    for (u32 i = 0; i < n->picks && !more; i++) more = n->pick[i].index + 1 < n->pick[i].count;
    return more;
}

/* The shallowest depth at which something can be begun; the present one: none. */
static u32 where_to_part(Dpor *D) {
    for (u32 depth = 0; depth < D->depth; depth++) {
        Node *n = D->path[depth];
        take_hold(n);
        int more = has_more(D, n, depth);
        let_go(n);
        if (more) return depth;
    }
    return D->depth;
}

static void make_junction(Dpor *D, u32 depth) {
    Node *own = D->path[depth], *n = junction_of(own);
    Event *e = &D->events[depth];
    D->path[depth] = n;
    own->touches_at = own->touch_top;       /* footprints that sleep have been copied */
    e->turn = n->turn = 1;      /* before it is what slept when it was made */
    go_on_beside(D, n, e);
}

/* An event was made from a junction. If its branch goes on, others may plan something behind it: so there is a junction, too. */
static void leave_behind(Dpor *D, Node *n) {
    Node *child = D->path[D->depth];
    if (n->label && child->tree) {
        enter_node(D);
        Node *home = D->path[D->depth] = junction_of(child);
        n->label->home = (Junction *)home;
        enter_junction(home);
    }
    go_on_beside(D, n, &D->events[D->depth - 1]);
}

/* Once more through a branch that was begun, to what was planned behind it since. */
static int enter_again(Dpor *D, Node *n, Wake *w) {
    w->waits = 0;
    if (!make_room(D, n)) { D->answer = D_MEMORY; return PAUSE; }
    n->current = w->slot;
    for (; n->picks < w->choices; n->picks++) room_for_picks(n)[n->picks] = (Pick){ &w->chosen[n->picks], 1, 0 };
    Ran r = make_event(D, n, w->chosen);
    int made = r.outcome != O_BLOCKED && r.outcome != O_CHOOSE && r.outcome != O_CAPACITY && r.outcome != O_NOT_NATIVE;
    int answer = made ? push_event(D, n, &r) : -1;
    n->current = NOBODY;
    n->picks = 0;
    if (!made) { D->diverged++; return NEXT; }
    D->events[D->depth - 1].turn = w->turn;
    enter_node(D);                          /* for the stacks of this worker */
    enter_junction(D->path[D->depth] = node_of(w->home));
    if (answer >= 0) { D->answer = (u32)answer; return PAUSE; }
    return EXECUTED;
}

/* The event at `depth` as another worker has it on its stacks; `top`: where its footprint goes. */
static Touch *copy_event(const Dpor *from, Dpor *to, u32 depth, Touch *top) {
    Event *e = &to->events[depth];
    Node *n = &to->nodes[depth];
    *e = from->events[depth];
    n->touch_top = n->touches_at = top;
    n->sleep = to->sleepers;
    n->pick = to->picks;
    copy_bytes(top, e->print.at, e->print.count * sizeof(Touch));
    e->print.at = top;
    copy_bytes(clock_of(to, depth), clock_of((Dpor *)from, depth), MAX_THREADS * sizeof(u32));
    return top + e->print.count;
}

static int room_for_copy(Dpor *to, const Event *next) {
    while (to->move_room < next->move_at + SETTLE_LIMIT || to->race_room < next->race_at) {
        to->move_room *= 2;
        to->race_room *= 2;
    }
    to->moves = realloc(to->moves, to->move_room * 2 * sizeof(i32));
    to->races = realloc(to->races, to->race_room * sizeof(u32));
    return to->moves && to->races;
}

/* All up to the node at `depth`, which is a junction as those before it are. */
static void copy_stacks(const Dpor *from, Dpor *to, u32 depth) {
    const Event *next = &from->events[depth];
    Touch *top = to->touches;
    for (u32 i = 0; i < depth; i++) top = copy_event(from, to, i, top);
    for (u32 i = 0; i <= depth; i++) enter_junction(to->path[i] = from->path[i]);
    Node *n = &to->nodes[depth];
    n->touch_top = n->touches_at = top;
    n->sleep = to->sleepers;
    n->pick = to->picks;
    copy_bytes(to->states, from->states, (depth + 1ULL) * to->state_size);
    copy_bytes(to->moves, from->moves, 2ULL * next->move_at * sizeof(i32));
    copy_bytes(to->choices, from->choices, next->choice_at * sizeof(i64));
    copy_bytes(to->races, from->races, next->race_at * sizeof(u32));
    to->move_top = next->move_at; to->choice_top = next->choice_at; to->race_top = next->race_at;
    copy_bytes(to->birth, from->birth, sizeof to->birth);
    copy_bytes(to->last, from->last, sizeof to->last);
    for (u32 i = from->depth; i-- > depth;) to->last[from->events[i].slot] = from->events[i].before;
    to->depth = depth;
}

static Dpor *who_asks(Crew *all) {
    for (u32 k = 0; k < all->jobs; k++) {
        u32 asks = ASKING;
        if (__atomic_compare_exchange_n(&all->of[k]->asks, &asks, SERVED, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return all->of[k];
    }
    return 0;
}

/* Part with some work, if there is any to part with and somebody asks. Not always: copying stacks costs as much as making
 * some events. `gives_after` 0: always, and with some patience, for tests. */
static void give_work(Dpor *D) {
    if (!D->gives_after) sched_yield();
    else if (D->events_made < D->gave_at + D->gives_after + D->depth) return;
    D->gave_at = D->events_made;
    u32 depth = where_to_part(D);
    Dpor *to = depth < D->depth ? who_asks(D->all) : 0;
    if (!to) return;
    if (!room_for_copy(to, &D->events[depth])) { __atomic_store_n(&to->asks, ASKING, __ATOMIC_RELEASE); return; }
    for (u32 i = 0; i <= depth; i++) if (!D->path[i]->shared) make_junction(D, i);
    copy_stacks(D, to, depth);
    to->gave_at = to->events_made;
    __atomic_fetch_sub(&D->all->idle, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&to->asks, GIVEN, __ATOMIC_RELEASE);
}

static int is_over(const Crew *all) { return __atomic_load_n(&all->idle, __ATOMIC_SEQ_CST) == all->jobs; }

/* Waits until somebody gives something. 0: all shall stop, or nobody has anything. */
static int find_work(Dpor *D) {
    Crew *all = D->all;
    __atomic_fetch_add(&all->idle, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&D->asks, ASKING, __ATOMIC_RELEASE);
    for (u32 spins = 1;; spins++) {
        u32 asks = __atomic_load_n(&D->asks, __ATOMIC_ACQUIRE);
        if (asks == GIVEN) { D->asks = WORKING; return 1; }
        if (is_over(all)) { D->asks = WITHOUT; return 0; }
        int stop = asks == ASKING && is_set(&all->stopped);
        if (stop && __atomic_compare_exchange_n(&D->asks, &asks, WITHOUT, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            __atomic_fetch_sub(&all->idle, 1, __ATOMIC_SEQ_CST);
            return 0;
        }
        if (spins % 64 == 0) sched_yield();
    }
}

/* Threads take a while to start: without waiting for them a short search is over before all are there. */
static void wait_for_all(Crew *all) {
    enum { LONG_ENOUGH = 20000 };
    __atomic_fetch_add(&all->arrived, 1, __ATOMIC_RELAXED);
    for (u32 spins = 0; spins < LONG_ENOUGH && is_set(&all->arrived) < all->jobs && !is_set(&all->stopped); spins++) sched_yield();
}

/* Nothing is left on the path of this worker. */
static void leave_root(Dpor *D) {
    if (D->path[0]->shared) leave_junction(D->path[0]);
    D->asks = WITHOUT;
}
