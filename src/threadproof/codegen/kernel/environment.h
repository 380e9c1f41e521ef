/* A program and the environment it runs in move together: a thread that the environment lets run makes a step, or the
 * environment sends a signal. The same draws as `engines.smc.platform.PlatformWalker`. */

typedef struct { u32 slot, signal; double weight; } EnvOption; /* signal: 1 + its number, or 0 */

/* The thread's next instruction is the first of the handler. */
static int interrupt(State *S, Thread *T, Ctx *C, const Signal *s, u32 which) {
    u32 fn = function_at(s->handler);
    if (fn == FN_COUNT || FN_PARAMS[fn] != s->count) return ended_by(S, T, C, not_native(C, TEXT_HANDLER));
    int e = may_enter(T, C, fn);
    if (e) return ended_by(S, T, C, e);
    u64 *R = enter(T, fn, T->pc);
    T->frames[T->nframes - 1].handler = 1;
    pass_arguments(R, fn, s->args);
    T->pc = FN_START[fn];
    env_delivered(&S->env, which);
    return O_MOVED;
}

/* Who might move now, in the order of threads and then of signals. */
static u32 env_options(State *S, EnvOption *o) {
    u32 count = 0;
    for (u32 i = 0; i < SLOTS; i++) {
        i64 thread = (i64)number_of(S, &S->t[i]);
        if (may_step(S, &S->t[i]) && env_active(&S->env, thread))
            o[count++] = (EnvOption){ i, 0, env_weight(&S->env, thread) };
    }
    for (u32 i = 0; i < SIGNALS && !S->atomic; i++) {
        Signal s;
        if (!env_signal(&S->env, i, &s)) continue;
        u32 slot = slot_of_number(S, (u64)s.thread);
        if (slot < SLOTS && S->t[slot].phase == PHASE_RUNNING) o[count++] = (EnvOption){ slot, i + 1, s.weight };
    }
    return count;
}

static u32 env_pick(const EnvOption *o, u32 count, Rng *rng) {
    double sum = 0;
    if (count == 1) return 0;
    for (u32 i = 0; i < count; i++) sum += o[i].weight;
    double at = RANDOM() * sum;
    for (u32 i = 0; i < count; i++) {
        at -= o[i].weight;
        if (at < 0) return i;
    }
    return count - 1;
}

/* One step of somebody, and whose: O_BLOCKED if nobody can move. */
static int env_step(State *S, Ctx *C, u32 *slot) {
    EnvOption options[SLOTS + SIGNALS];
    u32 count = env_options(S, options);
    while (count) {
        u32 at = env_pick(options, count, &C->rng);
        Thread *T = &S->t[*slot = options[at].slot];
        int outcome;
        C->chosen = 0;
        if (options[at].signal) {
            Signal s;
            env_signal(&S->env, options[at].signal - 1, &s);
            outcome = interrupt(S, T, C, &s, options[at].signal - 1);
        } else outcome = step_in_place(S, T, C);
        if (outcome != O_BLOCKED) return outcome;
        for (count--; at < count; at++) options[at] = options[at + 1];
    }
    return O_BLOCKED;
}
