/* Condition variables, and the end of cancelled threads. The same answers as `semantics.sync_ops`, `semantics.waiters`
 * (whom a signal reaches when threads are cancelled) and `semantics.cancellation`. */

/* Generated from the table: the mutex's cases, on args[0]. */
static int mutex_unlock_cases(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out, int only_try);
static int mutex_lock_cases(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out, int only_try);

static inline int is_cancelled(Thread *T) {
    return T->cancelled && !T->cancel_disabled && is_cancellable(T);
}

/* --- who waits ---------------------------------------------------------------------------------------------------- */

static inline int waits_at(State *S, Thread *T, u32 slot, u64 condition) {
    Thread *other = &S->t[slot];
    return other != T && other->waiting && other->condition == condition;
}

/* No signal has chosen it. */
static inline int waits(State *S, Thread *T, u32 slot, u64 condition) {
    return waits_at(S, T, slot, condition) && S->t[slot].waiting < WAIT_WOKEN;
}

static u64 waiters_of(State *S, Thread *T, u64 condition) {
    u64 waiters = 0;
    for (u32 i = 0; i < SLOTS; i++) waiters += waits(S, T, i, condition);
    return waiters;
}

static void without_heirs(State *S, Thread *T, u64 condition) {
    if (!CANCELS || waiters_of(S, T, condition)) return;
    for (u32 i = 0; i < SLOTS; i++)
        if (waits_at(S, T, i, condition)) S->t[i].waiting = WAIT_WOKEN;
}

static void begin_to_wait(State *S, Thread *T, Ctx *C, u64 condition) {
    T->waiting = WAIT_NOT_YET;
    T->condition = condition;
    if (!CANCELS) return;
    touch(C, CANCEL_PLACE(handle_of(S, T)), 1, READ);
    if (is_cancelled(T)) T->waiting = WAIT_DOOMED;
    for (u32 i = 0; i < SLOTS; i++)
        if (waits_at(S, T, i, condition) && S->t[i].waiting == WAIT_HEIRS) S->t[i].waiting = WAIT_UNSURE;
}

static void stop_waiting(State *S, Thread *T, Ctx *C) {
    u64 condition = T->condition;
    touch(C, condition, 1, T->waiting < WAIT_WOKEN || CANCELS ? WRITE : READ);
    T->waiting = WAIT_NO;
    T->condition = 0;
    without_heirs(S, T, condition);
}

/* --- waiting ------------------------------------------------------------------------------------------------------ */

static int p_cond_enqueue(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    Ref r;
    u64 mutex[2] = { a[1], 0 };
    int e = find(S, T, C, a[0], &r);
    if (e) return e;
    touch(C, a[0], 1, WRITE);
    e = mutex_unlock_cases(S, T, C, mutex, out, 0);
    if (e || *out) return e;
    begin_to_wait(S, T, C, a[0]);
    *out = 0;
    return 0;
}

static int blocked_on(Ctx *C, int operation, u64 a) {
    C->kind = operation; C->number = a;
    return BLOCKED;
}

static int needs_mutex(State *S, Thread *T, Ctx *C, const u64 *a) {
    u64 mutex[2] = { a[1], 0 }, ignored;
    int e = mutex_lock_cases(S, T, C, mutex, &ignored, 1);
    return e == BLOCKED ? blocked_on(C, OP_MUTEX_LOCK, a[1]) : e;
}

static int take_mutex(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out, u64 result) {
    u64 mutex[2] = { a[1], 0 };
    int e = mutex_lock_cases(S, T, C, mutex, out, 0);
    if (e == BLOCKED) return blocked_on(C, OP_MUTEX_LOCK, a[1]);
    if (e) return e;
    stop_waiting(S, T, C);
    *out = result;
    return 0;
}

static int p_cond_relock(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    if (T->waiting == WAIT_NO) { *out = E_PERM; return 0; }
    if (T->waiting < WAIT_WOKEN && !SPURIOUS) return blocked_on(C, OP_COND_WAIT, a[0]);
    return take_mutex(S, T, C, a, out, 0);
}

static int p_cond_relock_timed(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    u64 late;
    if (T->waiting == WAIT_NO) { *out = E_PERM; return 0; }
    int e = needs_mutex(S, T, C, a);
    if (e) return e;
    int woken = SPURIOUS || T->waiting >= WAIT_WOKEN;
    e = choose(T, C, SOURCE_WAIT, NO_NAME, !woken, 1, 0, 32, &late);
    if (e) return e;
    return take_mutex(S, T, C, a, out, late ? E_TIMEDOUT : 0);
}

/* --- waking ------------------------------------------------------------------------------------------------------- */

static int p_cond_signal(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    Ref r;
    u64 pick;
    int e = find(S, T, C, a[0], &r);
    if (e) return e;
    u64 waiters = waiters_of(S, T, a[0]);
    touch(C, a[0], 1, waiters ? WRITE : READ);
    *out = 0;
    if (!waiters) return 0;
    e = choose(T, C, SOURCE_SIGNAL, NO_NAME, 0, waiters - 1, 0, 32, &pick);
    if (e) return e;
    for (u32 n = 0, i = 0; n < SLOTS && (i = slot_in_order(S, n), 1); n++)
        if (waits(S, T, i, a[0]) && !pick--) { S->t[i].waiting = CANCELS ? WAIT_HEIRS : WAIT_WOKEN; break; }
    without_heirs(S, T, a[0]);
    return 0;
}

static int p_cond_broadcast(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    Ref r;
    u32 waiters = 0;
    int e = find(S, T, C, a[0], &r);
    if (e) return e;
    for (u32 i = 0; i < SLOTS; i++)
        if (waits(S, T, i, a[0])) { S->t[i].waiting = WAIT_WOKEN; waiters++; }
    touch(C, a[0], 1, waiters ? WRITE : READ);
    without_heirs(S, T, a[0]);
    *out = 0;
    return 0;
}

/* --- cancellation ------------------------------------------------------------------------------------------------- */

/* Whether a thread that has waited ends; if its wait was over before it was cancelled, it may go on. */
SLOW int ends_cancelled(State *S, Thread *T, Ctx *C, const u64 *a, int timed, u64 *ends) {
    u64 goes_on = 0;
    int e = needs_mutex(S, T, C, a);
    if (e) return e;
    if (T->waiting == WAIT_UNSURE) return unsupported(C, TEXT_WAITED_LATER, NO_NAME);
    if (T->waiting == WAIT_HEIRS)
        goes_on = 1;
    else if (T->waiting == WAIT_WOKEN || (T->waiting == WAIT_NOT_YET && (timed || SPURIOUS)))
        e = choose(T, C, SOURCE_CANCEL, NO_NAME, 0, 1, 0, 32, &goes_on);
    *ends = !goes_on;
    return e;
}

static inline int ends_waiting(State *S, Thread *T, Ctx *C, const u64 *a, int timed, u64 *ends) {
    if (LIKELY(!is_cancelled(T) || !T->waiting)) return 0;
    return ends_cancelled(S, T, C, a, timed, ends);
}

/* End the thread; one that waits on a condition variable takes its mutex first. */
SLOW i32 cancel(State *S, Thread *T, Ctx *C, const u64 *a, int relocks) {
    if (relocks) {
        u64 ignored;
        int e = take_mutex(S, T, C, a, &ignored, 0);
        if (e) return e;
    }
    return end_thread(S, T, C, ADDRESS_MASK, PHASE_ENDING);
}
