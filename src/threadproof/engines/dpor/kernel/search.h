/* Stateless search, last part: the loop of a worker, and what Python calls. */

/* One more event from the present node. */
static int advance(Dpor *D, Node *n) {
    int r = NEXT;
    take_hold(n);
    while (r == NEXT && (n->current != NOBODY || choose_thread(D, n))) r = attempt(D, n);
    if (r == EXECUTED && n->shared) leave_behind(D, n);
    Wake *again = r == NEXT ? waiting_branch(n) : 0;
    if (again) r = enter_again(D, n, again);
    let_go(n);
    return r;
}

static int search(Dpor *D) {
    for (u64 made = 0;;) {
        if (D->asks != WORKING && !find_work(D)) return is_over(D->all) ? D_DONE : D_TICK;
        Node *n = D->path[D->depth];
        int r = NEXT;
        if (D->depth == D->max_depth) cut_run(D, n);
        else r = advance(D, n);
        if (r == PAUSE) return (int)D->answer;
        if (r == EXECUTED) {
            enter_node(D);
            if (D->bounded && enter_bounded(D, &D->nodes[D->depth])) { D->found_race_with = NOBODY; return D_RACE; }
            if (is_set(&D->all->idle)) give_work(D);
            if (++made >= D->slice || is_set(&D->all->stopped)) { D->explored = share_done(D); return D_TICK; }
            continue;
        }
        if (!n->executed) {
            int answer = end_of_run(D, n);
            if (answer >= 0) return answer;
        }
        if (D->depth) pop_event(D);
        else leave_root(D);
    }
}

/* --- what the Python side calls ------------------------------------------------------------------------------------ */

EXPORT u64 td_size(void) { return sizeof(Dpor); }

static int open_stacks(Dpor *D) {
    u64 depth = D->max_depth + 2;
    D->move_room = depth * 4 + 2 * SETTLE_LIMIT;
    D->race_room = 1024;
    D->touches = reserve(1ULL << 31, sizeof(Touch), &D->touch_room);
    D->sleepers = reserve(1ULL << 31, sizeof(Sleeper), &D->sleeper_room);
    D->states = malloc(depth * D->state_size);
    D->scratch = malloc(D->state_size);
    D->watched = malloc(D->state_size);
    D->row_begins = malloc(D->state_size);
    D->room = malloc(ROOM_EVENTS * EVENT_TOUCHES * sizeof(Touch));
    D->events = calloc(depth, sizeof(Event));
    D->nodes = calloc(depth, sizeof(Node));
    D->path = calloc(depth, sizeof(Node *));
    D->clocks = malloc(depth * MAX_THREADS * sizeof(u32));
    D->picks = malloc(depth * MAX_PICKS * sizeof(Pick));
    D->choices = malloc(depth * MAX_PICKS * sizeof(i64));
    D->moves = malloc(D->move_room * 2 * sizeof(i32));
    D->races = malloc(D->race_room * sizeof(u32));
    return D->touches && D->sleepers && D->states && D->scratch && D->watched && D->row_begins && D->room && D->events && D->nodes && D->path
        && D->clocks && D->picks && D->choices && D->moves && D->races;
}

static void close_stacks(Dpor *D) {
    give_back(D->touches, D->touch_room * sizeof(Touch));
    give_back(D->sleepers, D->sleeper_room * sizeof(Sleeper));
    void *own[] = { D->states, D->scratch, D->watched, D->row_begins, D->room, D->events, D->nodes, D->path, D->clocks, D->picks,
                    D->choices, D->moves, D->races, D->met };
    for (u32 i = 0; i < sizeof own / sizeof *own; i++) free(own[i]);
}

/* The first worker, or one beside `first`. 0: there is not enough memory. */
EXPORT int td_begin(Dpor *D, Dpor *first) {
    D->all = first ? first->all : calloc(1, sizeof(Crew));
    if (!D->all || D->all->jobs == MAX_JOBS) return 0;
    if (!open_stacks(D) || (first && D->touch_room < first->touch_room)) {
        close_stacks(D);
        if (!first) free(D->all);
        return 0;
    }
    D->all->of[D->all->jobs++] = D;
    D->asks = first ? WITHOUT : WORKING;
    if (first) return 1;
    Node *root = D->path[0] = D->nodes;
    copy_bytes(D->states, D->initial, D->state_size);
    root->left = D->preemptions;
    root->touch_top = D->touches;
    root->sleep = D->sleepers;
    root->pick = D->picks;
    enter_node(D);
    return 1;
}

/* Of every worker; the last one takes with it what all have. */
EXPORT void td_end(Dpor *D) {
    Crew *all = D->all;
    for (u32 i = 0; D->asks == WORKING && i <= D->depth; i++) {
        Node *n = D->path[i];
        if (n->shared) leave_junction(n);
        else { forget_tree(n->tree); forget_tree(n->label); }
    }
    close_stacks(D);
    if (--all->jobs) return;
    for (u32 i = 0; i < all->domain_count; i++) free(all->domains[i].values);
    free(all->domains);
    free(all);
}

/* The values to try where D_CHOICE was answered. */
EXPORT void td_values(Dpor *D, const i64 *values, u32 count) {
    Crew *all = D->all;
    if (domain_of(D)) return;       /* another worker asked, too */
    Domain d = { D->detail.pc, D->detail.low, D->detail.high, copied(values, count * sizeof(i64)), count };
    all->domains = realloc(all->domains, (all->domain_count + 1) * sizeof d);
    all->domains[all->domain_count++] = d;
}

/* On with the search, until a worker has an answer. */
EXPORT int td_search(Dpor *D) {
    if (D->all->jobs > 1) wait_for_all(D->all);
    int answer = search(D);
    if (answer != D_DONE) set(&D->all->stopped, 1);
    return answer;
}

/* To be called when all workers are back. */
EXPORT void td_between(Dpor *D) { D->all->stopped = D->all->arrived = 0; }

static u32 tell(Dpor *D, u32 depth, i32 *moves, i64 *choices, u32 *chosen) {
    const Event *e = &D->events[depth];
    copy_bytes(moves, D->moves + 2 * e->move_at, 2 * e->moves * sizeof(i32));
    copy_bytes(choices + *chosen, D->choices + e->choice_at, e->choices * sizeof(i64));
    *chosen += e->choices;
    return e->moves;
}

/* The moves of the execution, how many. Without those that end a thread and so the program, except the last one: the
 * others could go on because they had not happened yet. */
EXPORT u32 td_moves(Dpor *D, i32 *moves, i64 *choices) {
    u32 count = 0, chosen = 0;
    for (u32 i = 0; i < D->depth; i++)
        if (!D->events[i].end || i + 1 == D->depth) count += tell(D, i, moves + 2 * count, choices, &chosen);
    return count;
}

/* Moves that lead to where both events of the race found are next; in a bounded search they are now. */
EXPORT u32 td_race_moves(Dpor *D, i32 *moves, i64 *choices) {
    u32 first = D->found_race_with, made = first == NOBODY ? D->depth : D->depth - 1, count = 0, chosen = 0;
    for (u32 i = 0; i < made; i++) {
        if (i == first || D->events[i].end || (i > first && before(D, first, i))) continue;
        count += tell(D, i, moves + 2 * count, choices, &chosen);
    }
    return count;
}
