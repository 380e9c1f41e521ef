/* Nobody is postponed for ever: from every state in which only some threads were moved, the moves made lead to one in
 * which all were.
 *
 * Paper: A. Valmari, H. Hansen, Stubborn set intuition explained, ToPNoC 12, 2017 (the ignoring problem, in terminal
 * strong components).
 * Differs: looked at when everything that waited is expanded. Then states from which no such state is reached are
 * found, some of them are expanded in full, and the search goes on with what that brings. Which, is said by what they
 * hold: so the states visited are the same in every order of the search, and with any number of workers.
 *
 * A reduced state remembers one successor. Where a chain of these ends in a state expanded in full, all of it is
 * settled; only where it ends in a cycle are all successors looked at. Every state is looked at once, also to see that
 * none was lost: at the end of the search each has been expanded, and there are as many as the workers found. */

void qsort(void *, __SIZE_TYPE__, __SIZE_TYPE__, int (*)(const void *, const void *));

typedef struct { u32 from, to; } Lead;              /* by places among the suspects */
typedef struct { u64 rank; u32 place; } Ranked;

typedef struct {
    u32 *state;                                     /* on chains that end in a cycle */
    u64 count, room;
    Lead *leads;                                    /* from suspects to suspects */
    u64 lead_count, lead_room;
    u8 *fine;                                       /* by place: leads to a state expanded in full */
    u32 *first, *from, *todo;                       /* who leads to a place: from[first[i]] up to first[i + 1] */
    Ranked *ranked;
} Suspects;

static u32 *onward_of(const Table *t, u64 state) { return &node_of(t, state)->onward; }

/* Follows the chain that begins at a state. Its states are settled, or they join the suspects. */
static int walk(Suspects *x, const Table *t, u32 state) {
    u64 before = x->count;
    while (IS_SUCCESSOR(*onward_of(t, state))) {
        u32 next = *onward_of(t, state);
        if (!grow((void **)&x->state, x->count, &x->room, sizeof(u32))) return MEMORY;
        x->state[x->count++] = state;
        *onward_of(t, state) = WALKED;
        state = next;
    }
    u32 end = *onward_of(t, state);
    if (end == NOT_YET || end == UNUSED) return LOST;
    if (end == WALKED) return MORE;
    for (; x->count > before; x->count--) *onward_of(t, x->state[x->count - 1]) = SETTLED;
    return MORE;
}

/* Once all have joined, a suspect has its place where its successor stood, and all others have none. */
static int is_suspect(const Suspects *x, const Table *t, u64 state) {
    u32 place = *onward_of(t, state);
    return place < x->count && x->state[place] == state;
}

/* All that a suspect leads to, by making its moves again. */
static int find_leads(Search *s, Suspects *x, u32 place) {
    Inside *in = s->in;
    u64 steps = s->steps, ends = s->ends;
    Waiting w = { x->state[place], NOBODY, 0 };
    int reduced, end = successors(s, &w, &reduced);
    s->steps = steps;
    s->ends = ends;
    if (end != MORE) return end;
    for (u64 i = 0; i < in->edges_used; i++) {
        u64 state = known_state(in->table, key_of(s, in->leads + i * in->table->parts));
        if (state == NOTHING) return LOST;
        if (!is_suspect(x, in->table, state)) { x->fine[place] = 1; continue; }
        if (!grow((void **)&x->leads, x->lead_count, &x->lead_room, sizeof(Lead))) return MEMORY;
        Lead l = { place, *onward_of(in->table, state) };
        x->leads[x->lead_count++] = l;
    }
    return MORE;
}

static int by_rank(const void *a, const void *b) {
    u64 one = ((const Ranked *)a)->rank, other = ((const Ranked *)b)->rank;
    return one < other ? -1 : one > other;
}

static int turn_round(Suspects *x) {
    x->first = calloc(x->count + 2, sizeof(u32));
    x->from = malloc((x->lead_count + 1) * sizeof(u32));
    x->todo = malloc((x->count + 1) * sizeof(u32));
    if (!x->first || !x->from || !x->todo) return 0;
    for (u64 i = 0; i < x->lead_count; i++) x->first[x->leads[i].to + 2]++;
    for (u64 i = 1; i < x->count + 2; i++) x->first[i] += x->first[i - 1];
    for (u64 i = 0; i < x->lead_count; i++) x->from[x->first[x->leads[i].to + 1]++] = x->leads[i].from;
    return 1;
}

/* A place is fine, and so is whoever leads there. */
static void spread(Suspects *x, u32 place) {
    u32 waiting = 0;
    x->fine[place] = 1;
    for (x->todo[waiting++] = place; waiting;) {
        u32 at = x->todo[--waiting];
        for (u32 i = x->first[at]; i < x->first[at + 1]; i++) {
            u32 from = x->from[i];
            if (x->fine[from]) continue;
            x->fine[from] = 1;
            x->todo[waiting++] = from;
        }
    }
}

/* Those to be expanded in full, to the front of `ranked`: from everyone who is not fine one of them is reached. */
static u64 choose(const Search *s, Suspects *x) {
    u64 count = 0, chosen = 0;
    for (u32 i = 0; i < x->count; i++) if (x->fine[i]) spread(x, i);
    for (u32 i = 0; i < x->count; i++) {
        Ranked r = { rank_of(s->in->table, x->state[i]), i };
        if (!x->fine[i]) x->ranked[count++] = r;
    }
    qsort(x->ranked, count, sizeof(Ranked), by_rank);
    for (u64 i = 0; i < count; i++) {
        u32 place = x->ranked[i].place;
        if (x->fine[place]) continue;
        spread(x, place);
        x->ranked[chosen++] = x->ranked[i];
    }
    return chosen;
}

static int judge(Search *s, Suspects *x) {
    int end = MORE;
    x->fine = calloc(x->count + 1, 1);
    x->ranked = malloc((x->count + 1) * sizeof(Ranked));
    if (!x->fine || !x->ranked) return MEMORY;
    for (u32 i = 0; i < x->count; i++) *onward_of(s->in->table, x->state[i]) = i;
    for (u32 i = 0; i < x->count && end == MORE; i++) end = find_leads(s, x, i);
    if (end != MORE) return end;
    if (!turn_round(x)) return MEMORY;
    u64 chosen = choose(s, x);
    for (u32 i = 0; i < x->count; i++) *onward_of(s->in->table, x->state[i]) = SETTLED;
    for (u64 i = 0; i < chosen && end == MORE; i++) {
        Waiting w = { x->state[x->ranked[i].place], NOBODY, 1 };
        end = make_room(s->in->table) ? expand(s, &w, 0) : MEMORY;
    }
    return end;
}

/* Numbers taken and not used are not used any more: behind them nothing is looked for again. */
static void leave_unused(Shared *all) {
    for (u32 k = 0; k < all->jobs; k++) {
        Numbers *own = &all->of[k]->in->numbers;
        for (; own->next < own->end; own->next++)
            if (own->next < all->table.state_room) *onward_of(&all->table, own->next) = UNUSED;
    }
}

static u64 found_by(const Shared *all) {
    u64 sum = 0;
    for (u32 k = 0; k < all->jobs; k++) sum += all->of[k]->in->found;
    return sum;
}

/* Everything that waited is expanded. MORE if more waits now, DONE if that was all. */
static int settle(Search *s) {
    Shared *all = s->in->shared;
    Table *t = &all->table;
    Suspects x;
    int end = MORE;
    fill_bytes(&x, 0, sizeof x);
    leave_unused(all);
    for (; all->settled < t->numbers && end == MORE; all->settled++) {
        u32 onward = *onward_of(t, all->settled);
        all->judged += onward != UNUSED;
        if (onward == NOT_YET) end = LOST;
        if (IS_SUCCESSOR(onward)) end = walk(&x, t, (u32)all->settled);
    }
    if (end == MORE && x.count) end = judge(s, &x);
    void *kept[] = { x.state, x.leads, x.fine, x.first, x.from, x.todo, x.ranked };
    for (u32 i = 0; i < sizeof kept / sizeof *kept; i++) free(kept[i]);
    if (end != MORE || waiting_of(all) || all->settled < t->numbers) return end;
    return all->judged == found_by(all) ? DONE : LOST;
}
