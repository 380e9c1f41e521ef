/* Calls, the life of threads, thread-specific data: primitives of the sync table.
 * The same answers as `semantics.run` and `semantics.sync_ops`. */

/* Function at an address, FN_COUNT if there is none. */
static inline u32 function_at(u64 a) {
    u64 i = (a - CODE) / FUNCTION_SPACING;
    return a >= CODE && (a - CODE) % FUNCTION_SPACING == 0 && i < FN_COUNT ? (u32)i : FN_COUNT;
}

/* Room for one more frame of `fn`, or why not. Changes nothing. */
static inline int may_enter(Thread *T, Ctx *C, u32 fn) {
    if (UNLIKELY(T->nframes >= MAX_FRAMES)) return unsupported(C, TEXT_RECURSION, NO_NAME);
    if (UNLIKELY(T->nframes >= FRAMES)) return no_room(C, ROOM_FRAMES);
    if (UNLIKELY(T->rb + FN_SLOTS[T->fn] + FN_SLOTS[fn] > REGS)) return no_room(C, ROOM_REGS);
    return 0;
}

/* Push the running frame and begin `fn`; the new frame's registers are zero and lie at the answer. */
static inline u64 *enter(Thread *T, u32 fn, u32 return_pc) {
    Frame f = { T->frame_cursor, return_pc, T->rb, T->mark, T->base, T->fn, 0 };
    T->frames[T->nframes++] = f;
    T->rb += FN_SLOTS[T->fn];
    T->fn = fn;
    T->mark = T->nstack;
    T->frame_cursor = T->cursor;
    T->base = T->sbytes;
    return T->regs + T->rb;
}

/* Back to the caller; the callee's registers are zero already. */
static inline i32 leave(Thread *T, u64 value) {
    Frame *f = &T->frames[--T->nframes];
    T->frame_cursor = f->cursor; T->rb = f->rb; T->mark = f->mark; T->base = f->base; T->fn = f->fn;
    u32 pc = f->pc;
    fill_bytes(f, 0, sizeof(Frame));
    if (RESULT_SLOT[pc]) T->regs[T->rb + RESULT_SLOT[pc]] = value;
    return (i32)pc;
}

#if ENVIRONMENT
/* The handler of a signal returns: the thread goes on where it was. */
SLOW i32 resume(Thread *T) {
    if (T->mark < T->nstack) {
        u32 from = T->stack[T->mark].off;
        fill_bytes(T->sdata + from, 0, T->sbytes - from);
        fill_bytes(T->smask + from, 0, T->sbytes - from);
        fill_bytes(T->stack + T->mark, 0, (T->nstack - T->mark) * sizeof(Obj));
        T->sbytes = from;
        T->nstack = T->mark;
    }
    T->cursor = T->frame_cursor;
    fill_bytes(T->regs + T->rb, 0, FN_SLOTS[T->fn] * sizeof(u64));
    Frame *f = &T->frames[--T->nframes];
    T->frame_cursor = f->cursor; T->rb = f->rb; T->mark = f->mark; T->base = f->base; T->fn = f->fn;
    u32 pc = f->pc;
    fill_bytes(f, 0, sizeof(Frame));
    return (i32)pc;
}
#endif

/* Where declarations disagree, the ABI drops high bits; it cannot invent any. */
static inline int fit(Ctx *C, u64 *value, u32 given, u32 wanted) {
    if (LIKELY(given == wanted || !wanted)) return 0;
    if (given < wanted) return unsupported(C, TEXT_WIDTH, NO_NAME);
    *value &= (1ULL << wanted) - 1;
    return 0;
}

/* Of an indirect call: the callee is known only now. */
SLOW int fit_arguments(Ctx *C, u32 fn, u64 *given, const u32 *widths) {
    for (u32 i = 0; i < FN_PARAMS[fn]; i++) {
        int e = fit(C, &given[i], widths[i], ARG_WIDTH[FN_ARGS[fn] + i]);
        if (e) return e;
    }
    return 0;
}

static inline void pass_arguments(u64 *R, u32 fn, const u64 *given) {
    for (u32 i = 0; i < FN_PARAMS[fn]; i++) {
        u32 slot = ARG_SLOT[FN_ARGS[fn] + i];
        if (slot) R[slot] = given[i];
    }
}

static void forget_frames(Thread *T) {
    fill_bytes(T->regs, 0, (T->rb + FN_SLOTS[T->fn]) * sizeof(u64));
    fill_bytes(T->frames, 0, T->nframes * sizeof(Frame));
    T->nframes = 0;
    T->rb = 0;
}

/* The key whose destructor runs next: all keys in order, up to DESTRUCTOR_ROUNDS times; nkeys: none. */
static u32 next_destructor(State *S, Thread *T) {
    u32 round = T->round, first = T->next_key;
    for (int turn = 0; turn < 2 && round < DESTRUCTOR_ROUNDS; turn++, round++, first = 0)
        for (u32 k = first; k < S->nkeys; k++)
            if (T->specifics[k] && S->keys[k]) { T->round = round; T->next_key = k + 1; return k; }
    return S->nkeys;
}

/* Run the destructors of thread-specific data, one call after the other, then finish. */
SLOW i32 end_thread(State *S, Thread *T, Ctx *C, u64 value, u8 phase) {
    if (!C->open) return STOP;
    int again = T->phase == PHASE_RETURNED && phase == PHASE_ENDING; /* one of them was cancelled, or exits */
    if (T->phase == PHASE_RUNNING || again) { T->phase = phase; T->result = value; }
    if (again && next_destructor(S, T) < S->nkeys) return unsupported(C, TEXT_LEAVES_DESTRUCTOR, NO_NAME);
    if (S->nkeys) touch(C, KEYS_BEYOND, 1, READ);
    u32 key = next_destructor(S, T);
    if (key < S->nkeys) {
        u64 specific = T->specifics[key];
        u32 fn = function_at(S->keys[key]);
        if (fn == FN_COUNT) return trap_at(C, UB_WILD_CALL, NAME_DESTRUCTOR);
        if (FN_PARAMS[fn] != 1) return trap_at(C, UB_CALL, NAME_DESTRUCTOR);
        if (FN_SLOTS[fn] > REGS) return no_room(C, ROOM_REGS);
        int e = fit(C, &specific, POINTER_BITS, FN_PARAM_WIDTH[fn]);
        if (e) return e;
        T->specifics[key] = 0;
        forget_frames(T);
        T->fn = fn;
        T->mark = T->nstack; T->frame_cursor = T->cursor; T->base = T->sbytes;
        if (FN_PARAM_SLOT[fn]) T->regs[FN_PARAM_SLOT[fn]] = specific;
        return (i32)FN_START[fn];
    }
    forget_frames(T);
    drop_stack(S, T, C, 0, stack_start(number_of(S, T)), (Kept){&T->result, 1, 0});
    if (T->detached) T->result = 0;
    T->round = T->next_key = 0;
    T->phase = PHASE_FINISHED; T->waiting = WAIT_NO; T->condition = 0; T->depth = 0; T->pending = PENDING_VISIBLE;
    T->pc = 0; T->fn = 0; T->mark = 0; T->base = 0; T->frame_cursor = 0;
    fill_bytes(T->specifics, 0, sizeof T->specifics);
    C->threads_changed = 1;
    touch(C, THREAD_PLACE(handle_of(S, T)), 1, WRITE | ENDS);
    return ENDED;
}

/* The end of the outermost function: of main the end of the program, else of the thread. */
SLOW i32 finish_thread(State *S, Thread *T, Ctx *C, u64 value) {
    if (C->open && T == S->t && T->phase == PHASE_RUNNING) { C->kind = HALT_RETURN; return HALT; }
    return end_thread(S, T, C, value, CANCELS ? PHASE_RETURNED : PHASE_ENDING);
}

/* --- primitives: 0, or what ends the operation; the result goes to *out ------------------------------------------- */

static void start_thread(State *S, u32 slot, u64 number, u32 fn, u64 argument) {
    Thread *N = &S->t[slot];
#if DORMANT
    N->number = (u32)number;
    N->start = fn;
#endif
    N->phase = PHASE_RUNNING; N->pending = PENDING_LOCAL;
    N->fn = fn; N->pc = FN_START[fn];
    N->cursor = N->frame_cursor = stack_start(number);
    N->heap_cursor = heap_start(number);
    copy_bytes(N->tls, TLS_IMAGE, TLS_BYTES);
    /* A parameter nobody reads is forgotten by the thread's first step; till then it counts as a pointer. */
    u32 slot_of_argument = FN_PARAM_SLOT[fn] ? FN_PARAM_SLOT[fn] : FN_DEAD_PARAM[fn];
    if (slot_of_argument) N->regs[slot_of_argument] = argument;
}

/* core/thread_id.py: number */
static u64 number_of_child(u64 parent, u64 index) {
    if (!parent) return 2 * index + 1;
    u64 above = parent - 1, diagonal = above + index - 3;
    return index < 3 ? 2 * (4 * above + index) + 2 : 2 * (4 * (diagonal * (diagonal + 1) / 2 + index - 3) + 3) + 2;
}

static int no_thread(Ctx *C) {
    if (!C->capped) return no_room(C, ROOM_THREADS);
    C->waits_for_room = 1;
    C->kind = OP_THREAD_JOIN; /* nothing but the end of a thread wakes it, and then only to wait again */
    return BLOCKED;
}

#if DORMANT
/* Whether so many threads that this instruction created run as may. */
static int is_site_full(State *S, u32 pc, u32 fn) {
    u32 run = 0, room = 0;
    for (u32 t = 0; t < SLOTS; t++) {
        room |= S->t[t].phase == PHASE_NONE;
        run += S->t[t].site == pc + 1 && (fn == FN_COUNT || S->t[t].start == fn);
    }
    return !room || run >= DORMANT;
}

/* Whether the thread is about to create one more that never runs, or to detach it. */
static inline int sleeps_next(State *S, Thread *T) {
    switch (NEW_THREADS[T->pc]) {
    case 0: return 0;
    case 1: return is_site_full(S, T->pc, FN_COUNT);
    default: return T->newest == DORMANT_NEW;
    }
}

/* Where the new thread runs; SLOTS: it never does. */
static u32 slot_for(State *S, Thread *T, Ctx *C, u32 fn) {
    u32 slot = 0;
    if (is_site_full(S, T->pc, fn) || (C->passed_over && draw(&C->rng) % (C->passed_over + 1))) return SLOTS;
    while (S->t[slot].phase != PHASE_NONE) slot++;
    return slot;
}

/* Its argument counts as a pointer for as long as it exists. */
static void fall_asleep(State *S, Thread *T, Ctx *C, u32 fn, u64 argument, u8 detached) {
    T->newest = detached ? DORMANT_DETACHED : DORMANT_NEW;
    S->dormant++;
    C->slept = 1;
    for (u32 t = 0; FN_PARAMS[fn] && t < SLOTS; t++)
        for (u32 i = 0; i < S->t[t].nstack; i++)
            if (value_within(argument, &S->t[t].stack[i])) S->t[t].stack[i].flags |= HELD;
}
#endif

static int created(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out, u8 detached) {
    u32 fn = function_at(a[1]);
    if (fn == FN_COUNT) return trap_at(C, UB_WILD_CALL, NAME_ROUTINE);
    if (FN_PARAMS[fn] > 1) return trap_at(C, UB_CALL, NAME_ROUTINE);
    if (FN_SLOTS[fn] > REGS) return no_room(C, ROOM_REGS);
    u64 number = number_of_child(number_of(S, T), T->children);
    if (number - 1 >= ARENA_COUNT) return no_address(C, TEXT_THREADS);
#if DORMANT
    u32 slot = slot_for(S, T, C, fn);
#else
    u32 slot = slot_of_number(S, number);
    if (slot == SLOTS) return no_thread(C);
#endif
    u64 argument = a[2];
    int e = fit(C, &argument, POINTER_BITS, FN_PARAM_WIDTH[fn]);
    if (!e) e = poke_result(S, T, C, a[0], POINTER_BITS / 8, number + 1);
    if (e) return e;
    touch(C, THREAD_PLACE(number + 1), 1, WRITE);
    T->children++;
#if DORMANT
    if (slot == SLOTS) fall_asleep(S, T, C, fn, argument, detached);
    else { T->newest = AWAKE; S->t[slot].site = T->pc + 1; }
#endif
    if (slot < SLOTS) {
        start_thread(S, slot, number, fn, argument);
        S->t[slot].detached = detached;
    }
    C->alone = 0;
    C->open = C->first || T->depth > 0 || INSTRUCTION;
    C->threads_changed = 1;
    *out = 0;
    return 0;
}

static int p_thread_create(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    return created(S, T, C, a, out, 0);
}

static int p_thread_create_detached(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    return created(S, T, C, a, out, 1);
}

static int joined(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out, u32 size) {
    Thread *other = thread_by_handle(S, a[0]);
    touch(C, THREAD_PLACE(a[0]), 1, WRITE | JOINS);
#if DORMANT
    if (!other && is_dormant(S, a[0])) { C->kind = OP_THREAD_JOIN; C->number = a[0]; return BLOCKED; }
#endif
    if (!other) { *out = E_SRCH; return 0; }
    if (other->detached) return unsupported(C, TEXT_DETACHED, NO_NAME);
    if (other == T) { *out = E_DEADLK; return 0; }
    if (other->phase != PHASE_FINISHED) { C->kind = OP_THREAD_JOIN; C->number = a[0]; return BLOCKED; }
    if (a[1]) {
        int e = poke_result(S, T, C, a[1], size, other->result);
        if (e) return e;
    }
    other->result = 0;
    *out = 0;
    return 0;
}

static int p_thread_join(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    return joined(S, T, C, a, out, POINTER_BITS / 8);
}

static int p_thread_join_int(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    return joined(S, T, C, a, out, 4);
}

#if DORMANT
/* Whether a dormant thread is detached is known of the one that its creator made last; nobody waits for the others. */
static int detached_dormant(State *S, Thread *T, Ctx *C, u64 handle, u64 *out) {
    if (!T->children || handle != number_of_child(number_of(S, T), T->children - 1) + 1) { C->kind = OP_THREAD_JOIN; C->number = handle; return BLOCKED; }
    *out = T->newest == DORMANT_DETACHED ? E_INVAL : 0;
    T->newest = DORMANT_DETACHED;
    C->slept = 1;
    return 0;
}
#endif

static int p_thread_detach(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    Thread *other = thread_by_handle(S, a[0]);
    touch(C, THREAD_PLACE(a[0]), 1, WRITE);
#if DORMANT
    if (!other && is_dormant(S, a[0])) return detached_dormant(S, T, C, a[0], out);
#endif
    *out = !other ? E_SRCH : other->detached ? E_INVAL : 0;
    if (*out) return 0;
    other->detached = 1;
    if (other->phase == PHASE_FINISHED) other->result = 0;
    return 0;
}

static int p_thread_self(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    *out = handle_of(S, T);
    return 0;
}

static int p_thread_cancel(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    Thread *other = thread_by_handle(S, a[0]);
#if DORMANT
    if (!other && is_dormant(S, a[0])) { *out = 0; return 0; }
#endif
    *out = other ? 0 : E_SRCH;
    touch(C, THREAD_PLACE(a[0]), 1, READ);
    if (other) touch(C, CANCEL_PLACE(a[0]), 1, WRITE);
    if (other && is_cancellable(other)) other->cancelled = 1;
    C->threads_changed = 1;  /* one that waits for the end of a thread may move now */
    return 0;
}

static int p_cancel_point(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    *out = 0;
    return 0;
}

static int p_cancel_state(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    if (a[0] > 1) { *out = E_INVAL; return 0; }
    int e = a[1] ? poke_result(S, T, C, a[1], 4, T->cancel_disabled) : 0;
    if (e) return e;
    T->cancel_disabled = a[0] == 1;
    *out = 0;
    return 0;
}

/* --- thread-specific data ----------------------------------------------------------------------------------------- */

static int p_key_create(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    u32 key = 0;
    while (key < S->nkeys && S->keys[key] != NO_KEY) key++;
    touch(C, KEYS_BEYOND, 1, WRITE);
    if (key == KEYS_MAX) { *out = E_AGAIN; return 0; }
    if (key == KEYS) return no_room(C, ROOM_KEYS);
    int e = poke_result(S, T, C, a[0], 4, key);
    if (e) return e;
    if (key == S->nkeys) S->nkeys++;
    S->keys[key] = a[1];
    *out = 0;
    return 0;
}

static inline int is_key(State *S, u64 key) { return key < S->nkeys && S->keys[key] != NO_KEY; }

static int p_key_delete(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    *out = is_key(S, a[0]) ? 0 : E_INVAL;
    if (*out) return 0;
    touch(C, KEYS_BEYOND, 1, WRITE);
    S->keys[a[0]] = NO_KEY;
    for (u32 i = 0; i < SLOTS; i++) S->t[i].specifics[a[0]] = 0;
    return 0;
}

static int p_key_set(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    *out = is_key(S, a[0]) ? 0 : E_INVAL;
    if (!*out) T->specifics[a[0]] = a[1];
    return 0;
}

static int p_key_get(State *S, Thread *T, Ctx *C, const u64 *a, u64 *out) {
    *out = a[0] < KEYS ? T->specifics[a[0]] : 0;
    return 0;
}
