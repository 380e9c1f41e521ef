/* One step of one thread, in place: a visible step, or one instruction. The same answers as `semantics.machine`.
 *
 * Whatever comes out other than O_MOVED and O_FINISHED leaves a state that means nothing, except O_BLOCKED, which
 * leaves it as it was. */

#define PARKED (-2) /* an outcome of a step on a GPU: see `step_or_park` */

static int ends_quietly(State *S, Thread *T) {
    if (!IS_RETURN[T->pc] || T->nframes || T == S->t || !TLS_UNSHARED) return 0;
    for (u32 i = 0; i < T->nstack; i++)
        if (!(T->stack[i].flags & UNSHARED)) return 0;
    for (u32 k = 0; k < S->nkeys; k++)
        if (T->specifics[k]) return 0;
    return 1;
}

INLINE int stopped(State *S, Thread *T, int pending) {
    T->pending = (u8)pending;
#if HAS_ATOMIC
    S->atomic = T->depth ? slot_of(S, T) + 1 : 0;
#endif
    return O_MOVED;
}

INLINE int moved(State *S, Thread *T, int pending) {
    if (UNLIKELY(pending == PENDING_VISIBLE && IS_RETURN[T->pc] && ends_quietly(S, T))) pending = PENDING_END;
    return stopped(S, T, pending);
}

static int thread_ended(State *S, Ctx *C) {
    S->atomic = 0;
#if DORMANT
    if (S->dormant) return O_MOVED;
#endif
    for (u32 i = 0; i < SLOTS; i++)
        if (S->t[i].phase != PHASE_NONE && S->t[i].phase != PHASE_FINISHED) return O_MOVED;
    C->kind = HALT_EXIT;
    return O_FINISHED;
}

static int ended_by(State *S, Thread *T, Ctx *C, i32 code) {
    if (code == NOT_NATIVE) return O_NOT_NATIVE;
    if (code == CAPACITY) return O_CAPACITY;
    if (code == NO_ADDRESS) return O_UNSUPPORTED;
    if (code == BLOCKED && C->first && !T->depth) return O_BLOCKED;
    if (code == BLOCKED && T->depth) {
        touch(C, C->kind == OP_THREAD_JOIN ? THREAD_PLACE(C->number) : C->number, 1, READ);
        return O_STUCK;
    }
    if (code == NEED) return O_CHOOSE;
    if (!C->open || code == BLOCKED) return stopped(S, T, PENDING_VISIBLE);
    switch (code) {
    case TRAP: return O_UNDEFINED;
    case FAIL: return O_FAILED;
    case ASSUME: return O_ASSUMPTION;
    case HALT: stopped(S, T, PENDING_VISIBLE); return O_FINISHED;
    default: return O_UNSUPPORTED;
    }
}

static int ended_any(State *S, Thread *T, Ctx *C, i32 code) {
    switch (code) {
    case STOP_HERE: return moved(S, T, PENDING_LOCAL);
    case STOP: return moved(S, T, PENDING_VISIBLE);
    case ENDED: return thread_ended(S, C);
    default: return ended_by(S, T, C, code);
    }
}

static int is_alone(State *S, Thread *T) {
#if DORMANT
    if (S->dormant) return 0;
#endif
    for (u32 i = 0; i < SLOTS; i++)
        if (&S->t[i] != T && S->t[i].phase != PHASE_NONE && (SOLO_EVER || S->t[i].phase != PHASE_FINISHED)) return 0;
    return 1;
}

static void prepare(Ctx *C) { C->first = C->open = 1; }

#if INSTRUCTION

/* `first` and `open` stay as `prepare` set them. */
#if GPU
INLINE int made_step(State *S, Thread *T, Ctx *C, u32 parked) {
    i32 next = parked ? perform_rare(S, T, C) : perform(S, T, C);
    if (next == RARE) return PARKED;
#else
INLINE int made_step(State *S, Thread *T, Ctx *C) {
    i32 next = perform(S, T, C);
#endif
    if (LIKELY(next >= 0)) {
        T->pc = (u32)next;
        return moved(S, T, PENDING_VISIBLE);
    }
    return ended_any(S, T, C, next);
}

#else

/* Brent's cycle detection over the configurations of one long atomic block. */
static int seen_before(State *S, Ctx *C, u64 *power, u64 *count) {
    if (*power && same_bytes(S, C->watched, sizeof(State))) return 1;
    if (++*count >= (*power ? *power : 1)) {
        *power = *power ? 2 * *power : 2;
        *count = 0;
        copy_bytes(C->watched, S, sizeof(State));
    }
    return 0;
}

#if GPU
static int made_step(State *S, Thread *T, Ctx *C, u32 parked) {
#else
static int made_step(State *S, Thread *T, Ctx *C) {
#endif
    u64 steps = 0, power = 0, count = 0;
    C->first = 1;
    C->alone = (u8)is_alone(S, T);
    C->open = T->pending != PENDING_LOCAL || C->alone || T->depth > 0;
    for (;;) {
        i32 next = perform(S, T, C);
#if GPU
        if (next == RARE) next = perform_rare(S, T, C);
#endif
        if (next < 0) return ended_any(S, T, C, next);
        T->pc = (u32)next;
        C->first = 0;
        C->open = C->alone || T->depth > 0;
        if (++steps < MAX_SILENT) continue;
        if (!T->depth) return moved(S, T, PENDING_LOCAL);
        if (seen_before(S, C, &power, &count)) return O_STUCK;
        if (steps >= MAX_ATOMIC) { C->text = TEXT_ATOMIC; C->name = NO_NAME; return O_UNSUPPORTED; }
    }
}

#endif

/* The first step of a thread forgets an argument that nobody reads. */
static u32 forgotten_argument(Thread *T) {
    return T->nframes || T->phase != PHASE_RUNNING || T->pc != FN_START[T->fn] ? 0 : FN_DEAD_PARAM[T->fn];
}

#if GPU
/* `made_step` is there once, inside the loop over the turns. PARKED: nothing has changed, and the step is to be made
 * with `parked`, when others do the like. */
INLINE int step_or_park(State *S, Thread *T, Ctx *C, u32 parked) {
#if REFUSED
    C->text = TEXT_REFUSAL; C->name = NO_NAME;
    return O_UNSUPPORTED;
#endif
    u32 slot = UNLIKELY(T->pending == PENDING_LOCAL) ? forgotten_argument(T) : 0;
    u64 argument = 0;
    if (UNLIKELY(slot)) { argument = T->regs[slot]; T->regs[slot] = 0; }
    int outcome = made_step(S, T, C, parked);
    if (UNLIKELY(slot && (outcome == O_BLOCKED || outcome == PARKED))) T->regs[slot] = argument;
    return outcome;
}

#if DORMANT
SLOW int step_in_place(State *S, Thread *T, Ctx *C) {
    int outcome = step_or_park(S, T, C, 0);
    return outcome == PARKED ? step_or_park(S, T, C, 1) : outcome;
}
#endif
#else
static int first_step(State *S, Thread *T, Ctx *C) {
    u32 slot = forgotten_argument(T);
    u64 argument = T->regs[slot];
    if (slot) T->regs[slot] = 0;
    int outcome = made_step(S, T, C);
    if (slot && outcome == O_BLOCKED) T->regs[slot] = argument;
    return outcome;
}

INLINE int step_in_place(State *S, Thread *T, Ctx *C) {
#if REFUSED
    C->text = TEXT_REFUSAL; C->name = NO_NAME;
    return O_UNSUPPORTED;
#endif
    return UNLIKELY(T->pending == PENDING_LOCAL) ? first_step(S, T, C) : made_step(S, T, C);
}
#endif

static inline int may_step(State *S, Thread *T) {
    return (!S->atomic || S->atomic == slot_of(S, T) + 1) && T->phase != PHASE_NONE && T->phase != PHASE_FINISHED;
}
