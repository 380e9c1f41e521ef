/* Stateless search, second part: nodes below which several workers are. Why that is right is said in crew.h.
 *
 * A node belongs to the worker whose stack it is on. Before another is let in below it, it becomes a junction, which all
 * of them have on their paths: whoever comes back to it takes what is left to explore there, and who reverses a race
 * there adds to it. So what one plans in a node that others have left is not lost: who planned it comes back there.
 * Where a branch of the wakeup tree of a junction begins that is not the last of its sequence, there is a junction too.
 * Invariants: what a junction says is read and changed by who holds it; holding one, only those behind it may be held too.
 * An event explored from it sleeps there from the moment it is made. What it has is its own, nothing lies on the
 * stack of a worker. It goes when the last worker, and the branch that leads to it, are gone. */

struct Crew {
    u32 jobs, stopped;              /* stopped: one has an answer, all shall come back */
    u32 idle;                       /* workers without work */
    u32 arrived;                    /* in this round */
    u32 domain_count;
    Domain *domains;
    Dpor *of[MAX_JOBS];
};

typedef struct Junction {
    Node node;                      /* first, so that it can be on a path */
    u32 held, users, room;          /* users: workers, and the branch that leads here; room: for sleepers */
    Wake *begun;                    /* branches of the wakeup tree whose turns have come, in their order */
} Junction;

static Node *node_of(Junction *j) { return &j->node; }
static Wake *begun_at(Node *n) { return n->shared ? ((Junction *)n)->begun : 0; }

/* A node of one's own needs no holding. */
static void take_hold(Node *n) {
    if (!n->shared) return;
    while (__atomic_exchange_n(&((Junction *)n)->held, 1, __ATOMIC_ACQUIRE)) sched_yield();
}

static void let_go(Node *n) {
    if (n->shared) __atomic_store_n(&((Junction *)n)->held, 0, __ATOMIC_RELEASE);
}

static void forget_tree(Wake *w) {
    while (w) {
        Wake *next = w->next;
        forget_tree(w->child);
        free(w->chosen);
        free(w->touches);
        free(w);
        w = next;
    }
}

static void *copied(const void *from, u64 bytes) {
    void *to = malloc(bytes ? bytes : 1);
    copy_bytes(to, from, bytes);
    return to;
}

static void add_sleeper(Node *n, const Sleeper *q) {
    Junction *j = (Junction *)n;
    if (n->shared && n->sleepers == j->room) {
        j->room = 2 * j->room + 8;
        n->sleep = realloc(n->sleep, j->room * sizeof *n->sleep);
    }
    Sleeper *own = &n->sleep[n->sleepers++];
    *own = *q;
    if (n->shared) own->print.at = copied(q->print.at, q->print.count * sizeof(Touch));
}

static Pick *room_for_picks(Node *n) {
    if (!n->pick) n->pick = malloc(MAX_PICKS * sizeof(Pick));
    return n->pick;
}

/* The next thread was chosen, by a branch or not. */
static void begin_turn(Node *n) {
    Wake **last = &((Junction *)n)->begun;
    n->turn++;
    if (!n->label) return;
    n->label->turn = n->turn;
    while (*last) last = &(*last)->next;
    *last = n->label;
}

/* A branch behind which something was planned when it was begun already. */
static Wake *waiting_branch(Node *n) {
    Wake *w = begun_at(n);
    while (w && !w->waits) w = w->next;
    return w;
}

/* The branch that was followed, unless others may want to know of it. */
static void forget_label(Node *n) {
    if (n->label && !n->label->turn) forget_tree(n->label);
    n->label = 0;
}

/* A node of one worker as a junction. */
static Node *junction_of(Node *own) {
    Junction *j = calloc(1, sizeof *j);
    Node *n = &j->node;
    *n = *own;
    n->shared = 1;
    n->pick = 0;
    n->sleep = 0;
    n->sleepers = 0;
    j->users = 1;
    if (n->picks) copy_bytes(room_for_picks(n), own->pick, n->picks * sizeof(Pick));
    for (u32 i = 0; i < own->sleepers; i++) add_sleeper(n, &own->sleep[i]);
    own->tree = own->label = 0;
    return n;
}

static void enter_junction(Node *n) { __atomic_fetch_add(&((Junction *)n)->users, 1, __ATOMIC_RELAXED); }

static void leave_junction(Node *n) {
    if (__atomic_fetch_sub(&((Junction *)n)->users, 1, __ATOMIC_ACQ_REL) > 1) return;
    for (Wake *w = begun_at(n); w; w = w->next) if (w->home) leave_junction(node_of(w->home));
    for (u32 i = 0; i < n->sleepers; i++) free((void *)n->sleep[i].print.at);
    forget_label(n);
    forget_tree(begun_at(n));
    forget_tree(n->tree);
    free(n->sleep);
    free(n->pick);
    free(n);
}
