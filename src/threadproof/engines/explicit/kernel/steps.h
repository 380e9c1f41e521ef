/* The steps of one thread in the state at hand, and what they come to. */

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
static void write_choices(i64 *to, const i64 *told, u64 count) {
    *to = (i64)count;
    copy_bytes(to + 1, told, 2 * count * sizeof(i64));
}

static u32 keep_for_ever(Inside *in, const i64 *told, u64 count) {
    Shared *all = in->shared;
    if (!count) return 0;
    u64 at = 1 + take_from(&all->choices_used, 1 + 2 * count);
    if (at + 1 + 2 * count > all->choices_room || at >> 31) { set(&in->table->full, 1); return 0; }
    write_choices(all->choice_pool + at, told, count);
    return (u32)at;
}

static u32 keep_for_edge(Inside *in, const i64 *told, u64 count) {
    u64 at = in->edge_choices_used ? in->edge_choices_used : 1;
    if (!count) return 0;
    if (!grow((void **)&in->edge_choices, at + 2 * count, &in->edge_choices_room, sizeof(i64))) {
        set(&in->table->full, 1);
        return 0;
    }
    write_choices(in->edge_choices + at, told, count);
    in->edge_choices_used = at + 1 + 2 * count;
    return (u32)at;
}

static int is_violation(Search *s, u32 slot, u32 count) {
    s->last_slot = slot;
    s->last_choices = keep_for_ever(s->in, s->in->told, count);
    return VIOLATED;
}

static void enter_edge(Inside *in, u32 slot, u32 count, u32 times) {
    u64 n = in->edges_used, parts = in->table->parts;
    int room = grow((void **)&in->edges, n, &in->edge_room, sizeof(Edge))
        && grow((void **)&in->leads, (n + 1) * parts, &in->lead_room, sizeof(u32));
    if (!room) { set(&in->table->full, 1); return; }
    u32 choices = keep_for_edge(in, in->told, count);
    Edge e = { slot, choices, times };
    in->edges[n] = e;
    u32 *vector = in->leads + n * parts;
    undo(&in->hand, vector);
    /* It is looked up when all successors are known: by then its place in the index is near. */
    __builtin_prefetch(&in->table->state_index[vector_hash(in->table, vector) & in->table->state_mask]);
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
            set(&in->table->full, 1);
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
    while (outcome == O_MOVED && made < MOST_DORMANT && is_creating(s, hand->work, slot))
        made += (outcome = plain_step(s, slot, 0)) == O_MOVED;
    if (outcome == O_UNSUPPORTED || made == MOST_DORMANT) {
        undo(hand, 0);
        if (s->crowd.does_at[pc] == CREATES) s->crowd.does_at[pc] = ENDLESS;
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
        u32 more = is_creating(s, in->hand.base, slot) ? create_more(s, slot, count) : 0;
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
    int waits = is_creating(s, in->hand.base, slot) && s->crowd.does_at[pc_of(s, in->hand.base, slot)] == ENDLESS;
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
