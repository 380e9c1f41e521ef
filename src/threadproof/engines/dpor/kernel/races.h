/* Stateless search, third part: reversing races; source sets and wakeup trees.
 *
 * Paper: as in events.h, algorithms 1 (source) and 2 (optimal); blocking operations as in S. Aronis' thesis.
 * Differs: races are looked at when an execution ends; whether a blocking operation could have come first, and what a
 * conditional one touches there, is found out by executing it there. A step with choices has several ways, and each
 * sleeps on its own. The last step of a wakeup sequence stands for all its ways that leave nobody asleep.
 * Invariants: behind a wakeup sequence nobody sleeps, else what is behind it would not be explored in full. A sequence keeps all that does not happen after the first event of the race, to the end of the
 * execution. Therefore all races are looked at again in every execution, also those of events it shares with earlier
 * ones (looking at new events alone loses 1 of 27 executions of the litmus test sleepers-3). For source sets the same
 * holds, because what releases a blocking operation may have come after it was cancelled (cancelled-join). */

typedef struct {                /* an event of a sequence to be inserted */
    u32 slot, depth;            /* depth: of the event it was; NOBODY: it may be another one now */
    const Touch *touches;
    u32 count;
    i32 wild, any;
    u64 bloom;
    const i64 *chosen;
    u32 choices;
    i32 gone;
} Item;

/* pending: the past of a last event that may be another one now. */
typedef struct { Item *items; u32 count; u32 pending[MAX_THREADS]; } Sequence;

static void item_of(Dpor *D, Item *it, u32 depth) {
    Event *e = &D->events[depth];
    it->slot = e->slot; it->depth = depth;
    it->touches = e->print.at; it->count = e->print.count;
    it->wild = e->print.wild; it->bloom = e->print.bloom; it->any = 0;
    it->chosen = D->choices + e->choice_at; it->choices = e->choices;
    it->gone = 0;
}

static int items_related(const Item *a, const Item *b) {
    if (a->wild || b->wild) return 1;
    if (!(a->bloom & b->bloom)) return 0;
    return related(a->touches, a->count, b->touches, b->count);
}

static int items_ordered(const Item *a, const Item *b) {
    int ignored;
    if (a->wild || b->wild) return 1;
    return (a->bloom & b->bloom) && ordered(a->touches, a->count, b->touches, b->count, &ignored);
}

/* Whether `a` happens before `b`; `b` comes later in the sequence, and may be its last. */
static int item_before(Dpor *D, const Sequence *v, const Item *a, const Item *b) {
    if (b->depth != NOBODY && before(D, a->depth, b->depth)) return 1;
    if (!b->any) return 0;
    return items_ordered(a, b) || v->pending[a->slot] >= D->events[a->depth].index;
}

static int is_initial(Dpor *D, const Sequence *v, u32 at) {
    for (u32 i = 0; i < at; i++) {
        if (v->items[i].gone) continue;
        if (v->items[i].slot == v->items[at].slot || item_before(D, v, &v->items[i], &v->items[at])) return 0;
    }
    return 1;
}

static u64 initials(Dpor *D, const Sequence *v) {
    u64 found = 0;
    for (u32 i = 0; i < v->count; i++)
        if (!v->items[i].gone && is_initial(D, v, i)) found |= BIT(v->items[i].slot);
    return found;
}

/* --- wakeup trees ---------------------------------------------------------------------------------------------------- */

static Wake *wake_of(const Item *it) {
    Wake *w = calloc(1, sizeof *w);
    w->slot = it->slot; w->any = it->any; w->wild = it->wild; w->bloom = it->bloom;
    w->choices = it->any ? 0 : it->choices;
    w->chosen = copied(it->chosen, w->choices * sizeof(i64));
    w->count = it->count;
    w->touches = copied(it->touches, it->count * sizeof(Touch));
    return w;
}

static int wake_unrelated(const Wake *w, const Sequence *v) {
    if (w->wild) return 0;
    for (u32 i = 0; i < v->count; i++) {
        const Item *it = &v->items[i];
        if (it->gone) continue;
        if (it->wild) return 0;
        if ((w->bloom & it->bloom) && related(w->touches, w->count, it->touches, it->count)) return 0;
    }
    return 1;
}

/* Whether an event of a sequence is the one of a branch. Without choices there is one way only; of several, `any` stands
 * for those that wake what sleeps, which is not known yet. */
static int same_event(const Item *it, const Wake *w) {
    if (it->any || w->any) return (it->any && w->any) || !(it->any ? w->choices : it->choices);
    return it->choices == w->choices && !__builtin_memcmp(it->chosen, w->chosen, w->choices * sizeof(i64));
}

/* Whether the sequence can go through this branch; if it begins with the branch's thread, that event is used up. */
static int fits_branch(Dpor *D, Sequence *v, const Wake *w) {
    for (u32 i = 0; i < v->count; i++) {
        Item *it = &v->items[i];
        if (it->gone || it->slot != w->slot) continue;
        return it->gone = is_initial(D, v, i) && same_event(it, w);
    }
    return wake_unrelated(w, v);
}

static void append_branch(Wake **list, const Sequence *v) {
    while (*list) list = &(*list)->next;
    for (u32 i = 0; i < v->count; i++) {
        if (v->items[i].gone) continue;
        *list = wake_of(&v->items[i]);
        list = &(*list)->child;
    }
}

static int is_used_up(const Sequence *v) {
    for (u32 i = 0; i < v->count; i++) if (!v->items[i].gone) return 0;
    return 1;
}

/* Whether the tree has grown: 0 if it leads to an equivalent of the sequence already. */
static int insert(Dpor *D, Wake **list, Sequence *v) {
    for (;;) {
        Wake *w = *list;
        while (w && !fits_branch(D, v, w)) w = w->next;
        if (!w) { append_branch(list, v); return 1; }
        if (!w->child || is_used_up(v)) return 0;
        list = &w->child;
    }
}

/* The same where branches may have been begun: those of later turns than `own` count as if they had not, and what leads
 * through one is inserted behind it. */
static int insert_behind(Dpor *D, Node *n, Sequence *v, u32 own) {
    for (Wake *w = begun_at(n); w; w = w->next) {
        if (w->turn <= own || !fits_branch(D, v, w)) continue;
        if (is_used_up(v)) return 0;
        if (!w->home) return w->child && insert(D, &w->child, v);
        Node *behind = node_of(w->home);
        take_hold(behind);
        int grown = insert_behind(D, behind, v, 0);
        let_go(behind);
        w->waits |= (u32)grown;
        return grown;
    }
    return insert(D, &n->tree, v);
}

/* --- races ----------------------------------------------------------------------------------------------------------- */

static void touches_now(Item *it, Touch *touches, u32 touched, int wild) {
    it->wild = wild || touched > EVENT_TOUCHES;
    it->touches = touches;
    it->count = it->wild ? 0 : touched;
    it->bloom = it->wild ? ~0ULL : 0;
    for (u32 i = 0; i < it->count; i++) it->bloom |= bloom_of(&touches[i]);
}

/* Execute the sequence from the state before `first`, then the last item: what they touch there (who comes last at a
 * barrier may be another one), or that the last one blocks. */
static int tried_there(Dpor *D, u32 first, const Sequence *v, Item *last) {
    u8 *S = D->scratch;
    Touch *touches = D->room, *end = D->room + (ROOM_EVENTS - 2) * EVENT_TOUCHES;
    copy_bytes(S, state_at(D, first), D->state_size);
    for (u32 i = 0; i < v->count; i++) {
        Item *it = &v->items[i];
        if (D->events[it->depth].end) continue;
        Ran r = run_event(D, S, it->slot, it->chosen, it->choices, touches, 0);
        if (r.outcome != O_MOVED) { D->diverged++; return 1; }
        if (touches < end) { touches_now(it, touches, r.touched, 0); touches += it->count; }
    }
    Ran r = run_event(D, S, last->slot, 0, 0, touches, 0);
    if (r.outcome == O_BLOCKED) return 0;
    /* A choice at the end of the event comes after all that it touches. */
    int unclear = (r.outcome == O_CHOOSE && !r.moves) || r.outcome == O_CAPACITY || r.outcome == O_NOT_NATIVE;
    touches_now(last, touches, r.touched, unclear);
    return 1;
}

/* Others may keep a thread waiting although they have nothing to do with `first` (another reader): leave out what its
 * operation conflicts with and its thread knows nothing of, and what comes after that. */
static u32 without_rivals(Dpor *D, const Sequence *v, const Item *last, Item *kept) {
    u32 count = 0;
    for (u32 i = 0; i < v->count; i++) {
        Item *it = &v->items[i];
        int known = v->pending[it->slot] >= D->events[it->depth].index;
        int drop = !known && (it->slot == last->slot || items_related(it, last));
        for (u32 k = 0; k < i && !drop; k++) drop = v->items[k].gone && before(D, v->items[k].depth, it->depth);
        it->gone = drop;
        if (!drop) kept[count++] = *it;
    }
    return count;
}

static int same_way(const Sleeper *q, const i64 *chosen, u32 choices) {
    return q->choices == choices && !__builtin_memcmp(q->chosen, chosen, choices * sizeof(i64));
}

/* Whether its thread sleeps in all its ways. */
static int all_asleep(const Node *n, const Sleeper *q, u32 own) {
    u32 count = 0;
    if (!own) return (n->asleep >> q->slot) & 1;
    for (u32 i = 0; i < n->sleepers; i++) count += n->sleep[i].slot == q->slot && n->sleep[i].turn < own;
    return count == q->ways;
}

/* Whether a sleeping way of a thread can begin the sequence, or a thread that has no part in it sleeps in all its ways
 * and has nothing to do with it: then all it leads to was explored already. `own`: only those of earlier turns; 0: all. */
static int covered_by_sleep(Dpor *D, const Node *n, const Sequence *v, u32 own) {
    u32 apart[MAX_THREADS] = { 0 };
    for (u32 s = 0; s < n->sleepers; s++) {
        const Sleeper *q = &n->sleep[s];
        Item it = { q->slot, NOBODY, q->print.at, q->print.count, q->print.wild, 0, q->print.bloom, 0, 0, 0 };
        if (own && q->turn >= own) continue;
        u32 i = 0;
        int related = 0;
        for (; i < v->count && v->items[i].slot != q->slot; i++) related |= items_related(&it, &v->items[i]);
        if (i == v->count) {
            if (!related && ++apart[q->slot] == q->ways) return 1;
            continue;
        }
        const Item *first = &v->items[i];
        int same = first->any ? all_asleep(n, q, own) : same_way(q, first->chosen, first->choices);
        if (same && is_initial(D, v, i)) return 1;
    }
    return 0;
}

/* The events of a reversed race: all that does not happen after `first`, then the last one. */
static void sequence_of(Dpor *D, Sequence *v, u32 first, u32 later, u32 slot, const Touch *object) {
    for (u32 i = first + 1; i < D->depth; i++)
        if (i != later && !before(D, first, i)) item_of(D, &v->items[v->count++], i);
    Item *last = &v->items[v->count];
    Event *e = later == NOBODY ? 0 : &D->events[later];
    if (e) item_of(D, last, later);
    else {
        fill_bytes(last, 0, sizeof *last);
        last->slot = slot; last->touches = object; last->count = 1; last->bloom = bloom_of(object);
    }
    last->any = 1;
    last->choices = 0;
    if (!e || !IS_FIXED(e->kind)) {
        /* What released it is not in the sequence, and what it touches may be other: it comes after its thread's past
         * and what it is ordered with there. */
        last->depth = NOBODY;
        clock_after(D, e ? e->before : D->last[slot], last->slot, v->pending);
    }
}

/* Whether the last event can follow the others; if not, they are thinned out until it can. */
static int possible(Dpor *D, u32 first, Sequence *v) {
    Item *last = &v->items[v->count];
    if (tried_there(D, first, v, last)) return 1;
    Item kept[v->count + 1];
    u32 count = without_rivals(D, v, last, kept);
    if (count == v->count) return 0;
    kept[count] = *last;
    copy_bytes(v->items, kept, (count + 1) * sizeof(Item));
    v->count = count;
    return tried_there(D, first, v, &v->items[count]);
}

/* From this node on, the sequence is to be explored too, unless it is anyway. `own`: the turn of the execution with the race. */
static void plan(Dpor *D, Node *n, Sequence *v, u32 own) {
    if (D->reduction == REDUCE_SOURCE) {
        u64 begin = initials(D, v);
        u32 last = v->items[v->count - 1].slot;
        if (begin & (n->backtrack | n->asleep)) return;
        n->backtrack |= begin & BIT(last) ? BIT(last) : begin & -begin;
    } else if (!covered_by_sleep(D, n, v, own)) insert_behind(D, n, v, own);
}

/* Make sure that `later` (a depth, or NOBODY: what the blocked `slot` waits for) is also explored before `first`. */
static void reverse(Dpor *D, u32 first, u32 later, u32 slot, const Touch *object) {
    Node *n = D->path[first];
    Item items[D->depth - first + 1];
    Sequence v = { items, 0, { 0 } };
    sequence_of(D, &v, first, later, slot, object);
    u32 kind = later == NOBODY ? KIND_BLOCKING : D->events[later].kind;
    if (!IS_FIXED(kind) && kind != KIND_LOCK && !possible(D, first, &v)) return;
    v.count++;
    take_hold(n);
    plan(D, n, &v, D->events[first].turn);
    let_go(n);
}

/* What blocked threads wait for is a race too: they could have come first. */
static void reverse_pending(Dpor *D) {
    Node *n = D->path[D->depth];
    for (u32 slot = 0; slot < MAX_THREADS && slot < D->threads; slot++) {
        if (!(n->tried & BIT(slot)) ) continue;
        u32 past[MAX_THREADS];
        Touch object = { D->wait_number[slot], 1, WRITE };
        if (D->wait_kind[slot] == D->join) { object.address = THREAD_PLACE(object.address); object.mode |= JOINS; }
        clock_after(D, D->last[slot], slot, past);
        for (u32 i = D->depth; i-- > 0;) {
            Event *e = &D->events[i];
            int movable = 0;
            if (past[e->slot] >= e->index) continue;
            if (e->print.wild || ordered(e->print.at, e->print.count, &object, 1, &movable))
                reverse(D, i, NOBODY, slot, &object);
        }
    }
}

static void reverse_races(Dpor *D, int maximal) {
    for (u32 i = 0; i < D->depth; i++)
        for (u32 k = 0; k < D->events[i].races; k++)
            reverse(D, D->races[D->events[i].race_at + k], i, 0, 0);
    /* With source sets, also where the others sleep: who waits there waits in no execution that goes on from here. */
    if (maximal || D->reduction == REDUCE_SOURCE) reverse_pending(D);
}
