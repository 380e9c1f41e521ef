/* Stateless search, fourth part: nodes and their events, the end of an execution.
 *
 * Reductions: none (all interleavings), sleep (P. Godefroid, LNCS 1032), source and optimal (races.h).
 * A thread whose step ends it (a failed assumption, the end of the program, undefined behaviour) takes no part in the
 * rest of the execution; the others go on, as they could have done before. A thread that reads its way back to where
 * it was, having written nothing, is stopped there: the execution without that detour is explored too. So is one that
 * waited on a condition variable on the way, if waits may end spuriously: it might as well have gone on waiting. */

#define SPIN_WINDOW 24          /* events of a thread among which a detour is looked for */

static u64 living(Dpor *D, u8 *S) {
    u64 found = 0;
    for (u32 i = 0; i < D->threads && i < MAX_THREADS; i++)
        if (live(D, S, i)) found |= BIT(i);
    return found;
}

static int too_many_threads(Dpor *D, u8 *S) {
    for (u32 i = MAX_THREADS; i < D->threads; i++)
        if (phase_of(D, S, i) != PHASE_NONE) return 1;
    return 0;
}

/* Keeps what `enter_child` said of the node. */
static void enter_node(Dpor *D) {
    Node *n = D->path[D->depth];
    if (n->shared) return;
    n->backtrack = n->done = n->tried = 0;
    n->executed = n->picks = n->ways = n->unslept = 0;
    n->touches_at = n->touch_top;
    n->label = 0;
    n->current = NOBODY;
}

static u64 willing(Dpor *D, const Node *n, u32 depth) {
    u64 found = living(D, state_at(D, depth)) & ~n->dead & ~n->tried & ~n->done & ~n->asleep;
    if (n->executed && D->reduction == REDUCE_SOURCE) found &= n->backtrack;
    if (n->executed && D->reduction == REDUCE_OPTIMAL) found = 0;
    return found;
}

static u64 candidates(Dpor *D, const Node *n, u32 depth) { return within_bound(D, n, willing(D, n, depth)); }

/* The thread to explore next; the one that moved last is preferred, so that first executions have few switches. */
static int choose_thread(Dpor *D, Node *n) {
    n->picks = 0;
    n->touches_at = n->touch_top;
    n->ways = n->unslept = 0;
    if (n->tree) {
        n->label = n->tree;
        n->tree = n->label->next;
        n->label->next = 0;
        n->current = n->label->slot;
        if (n->shared) begin_turn(n);
        return 1;
    }
    u64 from = candidates(D, n, D->depth);
    if (!from) return 0;
    u32 last = D->depth ? D->events[D->depth - 1].slot : 0;
    n->current = from & BIT(last) ? last : (u32)__builtin_ctzll(from);
    if (n->shared) begin_turn(n);
    return 1;
}

static void note_cut(Dpor *D) {
    const Detail *d = &D->detail;
    for (u32 i = 0; i < D->cuts; i++)
        if (D->cut[i].outcome == D->detail_outcome && D->cut[i].kind == d->kind && D->cut[i].pc == d->pc) return;
    if (D->cuts == 8) return;
    D->cut[D->cuts].outcome = D->detail_outcome;
    D->cut[D->cuts].kind = d->kind; D->cut[D->cuts].text = d->text; D->cut[D->cuts].name = d->name;
    D->cut[D->cuts].pc = d->pc;
    D->cuts++;
}

static const Domain *domain_of(Dpor *D) {
    for (u32 i = 0; i < D->all->domain_count; i++) {
        const Domain *d = &D->all->domains[i];
        if (d->pc == D->detail.pc && d->low == D->detail.low && d->high == D->detail.high) return d;
    }
    return 0;
}

static int violates(Dpor *D, int outcome) {
    if (outcome == O_FAILED) return (D->error_kinds >> D->detail.kind) & 1;
    return outcome == O_UNDEFINED && ((D->undefined_kinds >> D->detail.kind) & 1);
}

/* Whether memory is lost in a state that an event came to. */
static int loses(Dpor *D, const u8 *state, int outcome) {
    return D->loses && outcome != O_STEPS && D->loses(D->leaks, state, D->watched, outcome, D->detail.kind);
}

/* A detour with a wait (two events) begins with it: what was read before it and is used after it tells more than one
 * long wait would. */
static int back_where_it_was(Dpor *D, u32 depth) {
    u32 slot = D->events[depth].slot;
    const u8 *now = thread_in(D, state_at(D, depth + 1), slot);
    u32 at = depth + 1, halves = 0;
    for (int i = 0; i < SPIN_WINDOW && halves < 2; i++) {
        if (!at || !(D->events[at - 1].pure || D->events[at - 1].waits)) return 0;
        if (!__builtin_memcmp(thread_in(D, state_at(D, at - 1), slot), now, D->thread_size)) return 1;
        halves += D->events[at - 1].waits ? 1 : 0;
        at = D->events[at - 1].before;
    }
    return 0;
}

static void enter_child(Dpor *D, Node *n, const Event *e) {
    const Node *own = &D->nodes[D->depth];      /* where the stacks end */
    Node *child = D->path[D->depth + 1] = &D->nodes[D->depth + 1];
    u32 asleep[MAX_THREADS] = { 0 };
    child->tree = 0;
    if (n->label && n->label->child) {
        Wake *w = n->label;
        int same = w->choices == e->choices
            && !__builtin_memcmp(w->chosen, D->choices + e->choice_at, w->choices * sizeof(i64));
        if (same) { child->tree = w->child; w->child = 0; }
    }
    child->dead = n->dead | (e->end ? BIT(e->slot) : 0);
    child->died = n->died || e->end == DIED_ASSUMING;
    child->touch_top = own->touches_at + e->print.count;
    child->pick = own->pick + (n->shared ? 0 : n->picks);
    child->left = n->left - (u32)preempts(D, n, e->slot);
    child->sleep = own->sleep + (n->shared ? 0 : n->sleepers);
    child->sleepers = 0;
    child->asleep = 0;
    for (u32 i = 0; i < n->sleepers; i++) {
        const Sleeper *q = &n->sleep[i];
        int ignored;
        if (q->slot == e->slot || ordered_prints(&e->print, &q->print, &ignored)) continue;
        child->sleep[child->sleepers] = *q;
        child->sleep[child->sleepers++].turn = 0;
        if (++asleep[q->slot] == q->ways) child->asleep |= BIT(q->slot);
    }
}

static void note_births(Dpor *D, u32 depth) {
    u8 *from = state_at(D, depth), *to = state_at(D, depth + 1);
    for (u32 i = 0; i < D->threads && i < MAX_THREADS; i++)
        if (phase_of(D, from, i) == PHASE_NONE && phase_of(D, to, i) != PHASE_NONE) {
            D->birth[i] = depth + 1;
            D->last[i] = 0;
        }
}

/* Whether the event at `depth` comes after all that the other threads ever do. Otherwise it may as well come before
 * some of that, and there are ends of the process that nobody looks at. */
static int is_after_all(Dpor *D, u32 depth) {
    u8 *S = state_at(D, depth);
    for (u32 i = 0; i < D->threads && i < MAX_THREADS; i++) {
        u32 last = D->last[i] ? D->last[i] : D->birth[i];
        if (i == D->events[depth].slot || phase_of(D, S, i) == PHASE_NONE) continue;
        if (phase_of(D, S, i) != PHASE_FINISHED || !last || !before(D, last - 1, depth)) return 0;
    }
    return 1;
}

static int creates_thread(Dpor *D, u8 *from, u8 *to) {
    for (u32 i = 0; i < D->threads; i++)
        if (phase_of(D, from, i) == PHASE_NONE && phase_of(D, to, i) != PHASE_NONE) return 1;
    return 0;
}

/* Enter the event that was just executed. Answers what the search has to say now, or -1. */
static int push_event(Dpor *D, Node *n, const Ran *r) {
    Event *e = &D->events[D->depth];
    u8 *S = state_at(D, D->depth), *after = S + D->state_size;
    e->slot = n->current;
    e->before = D->last[e->slot];
    e->pc = pc_of(D, S, e->slot);
    e->kind = D->op_kind[e->pc] & (KIND_WAITS - 1);
    e->waits = !r->died && (D->op_kind[e->pc] & KIND_WAITS);
    e->end = r->died;
    e->move_at = D->move_top; e->moves = r->moves;
    e->choice_at = D->choice_top; e->choices = r->chosen;
    e->turn = n->turn;
    print_of(&e->print, D->nodes[D->depth].touches_at, r->touched);
    if (r->died == DIED_UNKNOWN) { e->print.wild = 1; e->print.bloom = ~0ULL; }  /* it might have done anything */
    e->pure = !r->died && only_reads(&e->print);
    for (u32 i = 0; i < n->picks; i++) {
        const Pick *p = &n->pick[i];
        D->choices[D->choice_top + i] = p->values[p->index];
    }
    D->choice_top += r->chosen;
    D->move_top += r->moves;
    int open = r->died && creates_thread(D, S, after);
    int lost = r->died && loses(D, after, r->outcome);
    if (r->died) copy_bytes(after, S, D->state_size);
    int race = D->bounded ? -1 : find_races(D, D->depth);
    D->open_ends += r->died && r->outcome != O_STEPS && (open || D->bounded || !is_after_all(D, D->depth));
    D->rogues += is_rogue(D, D->depth);
    if (!r->died) note_births(D, D->depth);
    D->last[e->slot] = D->depth + 1;
    if (e->pure && back_where_it_was(D, D->depth)) e->end = DIED_ASSUMING;
    n->executed++;
    n->backtrack |= BIT(e->slot);
    enter_child(D, n, e);
    D->depth++;
    D->events_made++;
    if (race >= 0) { D->found_race_with = (u32)race; return D_RACE; }
    if (lost || violates(D, r->outcome)) return D_FOUND;
    if (r->died == DIED_UNKNOWN) note_cut(D);
    return too_many_threads(D, after) ? D_THREADS : -1;
}

/* For the touches and moves of one more event, and what sleeps after it. 0: there is none. */
static int make_room(Dpor *D, const Node *n) {
    const Node *own = &D->nodes[D->depth];
    if (D->move_top + SETTLE_LIMIT > D->move_room) {
        i32 *larger = realloc(D->moves, 2 * D->move_room * 2 * sizeof(i32));
        if (!larger) return 0;
        D->moves = larger;
        D->move_room *= 2;
    }
    return own->touches_at + 2 * EVENT_TOUCHES <= D->touches + D->touch_room
        && own->sleep + 2 * n->sleepers + 2 * MAX_WAYS <= D->sleepers + D->sleeper_room;
}

enum { EXECUTED, NEXT, PAUSE };

static int blocked_at(Dpor *D, Node *n) {
    n->tried |= BIT(n->current);
    D->wait_number[n->current] = D->detail.number;
    D->wait_kind[n->current] = D->detail.kind;
    if (n->label) { D->diverged++; forget_label(n); }
    n->current = NOBODY;
    return NEXT;
}

/* All ways of the current thread are explored. */
static void finish_thread_at(Node *n) {
    u32 slot = n->current, own = 0;
    n->done |= BIT(slot);
    n->touch_top = n->touches_at;
    for (u32 i = 0; i < n->sleepers; i++) own += n->sleep[i].slot == slot;
    for (u32 i = 0; i < n->sleepers; i++)
        if (n->sleep[i].slot == slot) n->sleep[i].ways = own + n->unslept;
    if (own && !n->unslept) n->asleep |= BIT(slot);
    forget_label(n);
    n->current = NOBODY;
}

/* The next choices of the current thread; 0: it has no more, and is finished here. */
static int next_way(Node *n) {
    while (n->picks) {
        Pick *p = &n->pick[n->picks - 1];
        if (++p->index < p->count) return 1;
        n->picks--;
    }
    finish_thread_at(n);
    return 0;
}

static int way_asleep(const Node *n, const i64 *chosen, u32 choices) {
    for (u32 i = 0; i < n->sleepers; i++) {
        const Sleeper *q = &n->sleep[i];
        if (q->slot == n->current && same_way(q, chosen, choices)) return 1;
    }
    return 0;
}

/* A branch inside a wakeup sequence is one way of its thread. */
static int is_other_way(const Node *n, const i64 *chosen) {
    const Wake *w = n->label;
    return w && !w->any && w->choices && __builtin_memcmp(w->chosen, chosen, w->choices * sizeof(i64));
}

/* Behind the last event of a wakeup sequence, made in a way that has nothing to do with what sleeps: this way did not
 * race, and its turn comes elsewhere. */
static int is_in_vain(const Dpor *D, const Node *n) {
    return n->label && n->label->any && D->events[D->depth - 1].choices && D->nodes[D->depth].asleep;
}

static Event *take_back(Dpor *D) {
    Event *e = &D->events[--D->depth];
    D->last[e->slot] = e->before;
    D->move_top = e->move_at;
    D->choice_top = e->choice_at;
    D->race_top = e->race_at;
    return e;
}

/* The event of the current thread with these choices, in the state after this one. */
static Ran make_event(Dpor *D, const Node *n, const i64 *given) {
    u8 *S = state_at(D, D->depth), *next = S + D->state_size;
    copy_bytes(next, S, D->state_size);
    return run_event(D, next, n->current, given, n->picks, D->nodes[D->depth].touches_at, D->moves + 2 * D->move_top);
}

/* Execute the current thread's next event with the current choices. */
static int attempt(Dpor *D, Node *n) {
    i64 given[MAX_PICKS];
    for (;;) {
        for (u32 i = 0; i < n->picks; i++) {
            const Pick *p = &n->pick[i];
            given[i] = p->values[p->index];
        }
        if (!make_room(D, n)) { D->answer = D_MEMORY; return PAUSE; }
        Ran r = make_event(D, n, given);
        if (r.outcome == O_BLOCKED) return blocked_at(D, n);
        if (r.outcome == O_CAPACITY || r.outcome == O_NOT_NATIVE || (r.outcome == O_CHOOSE && n->picks == MAX_PICKS)) {
            D->answer = D_STOPPED;
            return PAUSE;
        }
        if (r.outcome == O_CHOOSE) {
            const Domain *d = domain_of(D);
            if (!d) { D->answer = D_CHOICE; return PAUSE; }
            Pick p = { d->values, d->count, 0 };
            room_for_picks(n)[n->picks++] = p;
            continue;
        }
        int other = is_other_way(n, given);
        if (!way_asleep(n, given, n->picks)) {
            n->unslept += (u32)other;
            int answer = other ? -1 : push_event(D, n, &r);
            if (answer >= 0) { D->answer = (u32)answer; return PAUSE; }
            if (!other && !is_in_vain(D, n)) return EXECUTED;
            if (!other) { take_back(D); n->executed--; n->unslept++; }
        }
        if (!next_way(n)) return NEXT;
    }
}

/* The event is done with, or others may go on beside it: it sleeps; on to the next way of its thread. */
static void go_on_beside(Dpor *D, Node *n, const Event *e) {
    if (D->reduction != REDUCE_NONE) {
        Sleeper q = { e->slot, ~0u, e->choices, e->turn, e->print, { 0 } };
        if (e->choices > WAY) n->unslept++;
        else {
            copy_bytes(q.chosen, D->choices + e->choice_at, e->choices * sizeof(i64));
            add_sleeper(n, &q);
        }
    }
    next_way(n);
}

static void pop_event(Dpor *D) {
    Node *left = D->path[D->depth];
    Event *e = take_back(D);
    Node *n = D->path[D->depth];
    if (left->shared) leave_junction(left);
    if (n->shared) return;      /* it sleeps since it was made */
    n->touches_at += e->print.count;
    go_on_beside(D, n, e);
}

static void note_end(Dpor *D) {
    u64 digest = 0;
    const u8 *S = state_at(D, D->depth);
    for (u32 i = 0; i < D->state_size; i++) digest = (digest ^ S[i]) * 0x100000001b3ULL;
    if (D->end_count < D->end_room) D->ends[D->end_count] = digest;
    D->end_count++;
}

/* The execution cannot go on from here. */
static int end_of_run(Dpor *D, Node *n) {
    u64 waiting = living(D, state_at(D, D->depth)) & ~n->dead;
    int maximal = !(waiting & n->asleep);
    if (!maximal) D->redundant++;
    else if (n->died) D->blocked++;
    else D->executions++;
    if (maximal && D->ends) note_end(D);
    if (D->reduction >= REDUCE_SOURCE) reverse_races(D, maximal);
    int stuck = waiting && !n->dead && !has_dormant(&D->crowd, state_at(D, D->depth));
    if (maximal && stuck && D->watch_deadlocks) return D_DEADLOCK;
    return maximal && !n->dead && loses(D, state_at(D, D->depth), O_MOVED) ? D_FOUND : -1;
}

/* Knuth's estimate: every branch known so far has the same share of its node. */
static double share_done(Dpor *D) {
    double share = 0, part = 1;
    for (u32 i = 0; i < D->depth; i++) {
        Node *n = D->path[i];
        take_hold(n);
        u32 made = n->executed, known = made + (u32)__builtin_popcountll(candidates(D, n, i) & ~BIT(n->current & 63));
        for (Wake *w = n->tree; w; w = w->next) known++;
        let_go(n);
        share += part * (made - 1) / known;
        part /= known;
    }
    return share;
}

static void cut_run(Dpor *D, Node *n) {
    D->cut_runs++;
    if (D->reduction >= REDUCE_SOURCE) reverse_races(D, 0);
    forget_tree(n->tree);
    n->tree = 0;
    n->executed = 1;
}
