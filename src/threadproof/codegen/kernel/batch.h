/* Whole runs without the interpreter. A run is a function of its start, the seed and its number. */

typedef struct {
    const State *starts;          /* where runs begin */
    const u32 *start_of;          /* which of them, by run; null: always the first */
    const u32 *stages;            /* of the observer at the beginning, by run; null: FIRST_STAGE */
    u64 seed, first_run, runs, max_steps;
    Scheduler scheduler;
    i32 telling, has_level;
    i32 capped;                   /* without room for a thread its creator waits and the others go on */
    double level;                 /* a run ends when its score reaches this */
    volatile i32 *interrupt;      /* polled; may be null */
    /* results by run; null where not wanted */
    u8 *outcome, *verdict;
    u64 *steps;
    double *value, *score;
    u32 *pc;                      /* where the thread that ended the run stood */
    i32 *detail;                  /* kind of what ended the run; of O_CAPACITY the room */
    u32 *stage;                   /* of the observer, before it looked at the last state */
    u64 *print;                   /* where the number of the next state goes */
    State *final;
    u8 *lost;                     /* whether memory is lost where the run ended */
    Loses loses;
    const void *leaks;
    /* recording, of the last run: slot and number of choices of each move; the choices, and whether they are signed */
    i32 *moves;
    i64 *choices;
    u64 move_room, choice_room, move_count;
    State *work;                  /* room for two */
} Batch;

/* The score begins below all others. `stage` is the observer's before it looked at the state, `following` after that. */
typedef struct { double value, score, sum; u64 count; int verdict, decided; u32 stage, following; u64 *print; } Watcher;
#define NOTHING_SEEN { 0, -__builtin_inf(), 0, 0, WATCH == 2, 0, 0, FIRST_STAGE, 0 }

INLINE void observe(State *S, Watcher *w) {
    u32 stage = 0;
#if PRINTS
    *w->print++ = print_state(S);
#endif
#if HAS_OBSERVER
    w->stage = w->following;
    w->following = stage = next_stage(S, w->stage);
    if (STAGE_FAILS[stage]) { w->verdict = 0; w->decided = 1; return; }
    if (!STAGE_ACCEPTS[stage]) {
#if WATCH == 3
        if (!watch_before(S)) { w->verdict = 0; w->decided = 1; return; }
#endif
    } else
#endif
#if WATCH == 1
    if (watch_condition(S)) { w->verdict = 1; w->decided = 1; }
#elif WATCH == 2
    if (!watch_condition(S)) { w->verdict = 0; w->decided = 1; }
#elif WATCH == 3
    if (watch_condition(S)) { w->verdict = 1; w->decided = 1; }
    else if (!watch_before(S)) { w->verdict = 0; w->decided = 1; return; }
#endif
#if AGGREGATE
    double v = watch_value(S);
    if (!w->count || (AGGREGATE == 1 ? v > w->value : v < w->value)) w->value = v;
    w->sum += v;
    w->count++;
#endif
#if HAS_SCORE
    double s = watch_score(S, stage);
    if (s > w->score) w->score = s;
#endif
}

/* Whether the run ends here, and how; -1: it goes on. */
INLINE int watched_end(const Batch *b, const Watcher *w) {
#if WATCH
    if (UNLIKELY(w->decided)) return O_DECIDED;
#endif
#if HAS_SCORE
    if (b->has_level && w->score >= b->level) return O_LEVEL;
#endif
    return -1;
}

static int record_move(Batch *b, Ctx *C, u32 slot) {
    if (b->move_count == b->move_room) return no_room(C, ROOM_RECORD);
    b->moves[2 * b->move_count] = (i32)slot;
    b->moves[2 * b->move_count + 1] = C->chosen;
    b->move_count++;
    C->record += 2 * C->chosen;
    C->record_room -= C->chosen;
    return 0;
}

#if !GPU
/* Moves by a recorded schedule. */
static int replay(State *S, Batch *b, Ctx *C, Watcher *w, u64 *steps, u32 *last) {
    const Scheduler *s = &b->scheduler;
    const i64 *choices = s->choices;
    C->random = 0;
    for (u64 i = 0; i < s->move_count && *steps < b->max_steps; i++) {
        u32 slot = (u32)s->moves[2 * i];
        *last = slot;
        if (slot >= SLOTS) return no_room(C, ROOM_THREADS), O_CAPACITY;
        C->choices = choices;
        C->given = s->moves[2 * i + 1];
        choices += C->given;
        C->chosen = 0;
        if (!may_step(S, &S->t[slot])) return O_BLOCKED;
        int outcome = step_in_place(S, &S->t[slot], C);
        if (outcome != O_MOVED) { *steps += outcome != O_BLOCKED; return outcome; }
        ++*steps;
        observe(S, w);
        int end = watched_end(b, w);
        if (end >= 0) return end;
    }
    return *steps < b->max_steps ? O_SCHEDULE_END : O_STEPS;
}
#endif

#if DORMANT
static int nobody_moves(State *S) { return S->dormant ? O_STEPS : O_DEADLOCK; }

/* Of every fourth run the threads that move are not the first ones. */
static u32 draw_patience(Ctx *C) {
    u64 drawn = draw(&C->rng);
    C->passed_over = drawn >> 62 ? 0 : (1u << (drawn >> 32) % 14) - 1;
    return 1u << drawn % 17;
}

/* Creations of threads that never move are no news to anybody: so many in a row are one decision of the scheduler. */
static int create_more(State *S, Batch *b, Ctx *C, u32 slot, u32 patience, u64 *made, int recording) {
    Thread *T = &S->t[slot];
    while (C->slept && patience-- && *made < b->max_steps && sleeps_next(S, T)) {
        C->slept = 0;
        if (recording) C->chosen = 0;
        int outcome = step_in_place(S, T, C);
        ++*made;
        if (recording && record_move(b, C, slot)) return O_CAPACITY;
        if (outcome != O_MOVED) return outcome;
        if (!(*made & 0xfff) && b->interrupt && *b->interrupt) return O_INTERRUPTED;
    }
    C->slept = 0;
    return O_MOVED;
}
#else
static int nobody_moves(State *S) { return O_DEADLOCK; }
#endif

/* How far a run is. */
/* parked: 1 + the index of the candidate whose step is to be made in company, on a GPU; called: now. */
typedef struct { u64 made, planned; u32 last, patience, parked, called; } Course;

INLINE void set_out(State *S, Batch *b, Ctx *C, Plan *p, Course *c) {
    c->made = c->planned = c->last = c->parked = 0;
#if DORMANT
    c->patience = draw_patience(C);
#endif
    plan_begin(S, p, &b->scheduler, C);
    C->threads_changed = 0;
}

#if ENVIRONMENT
/* One step of the program or its environment: how the run ends, or -1. */
INLINE int advance(State *S, Batch *b, Ctx *C, Watcher *w, Plan *p, Course *c, int kind, int recording) {
    u32 slot = 0;
    int outcome = env_step(S, C, &slot);
    if (outcome == O_BLOCKED) return O_DEADLOCK;
    c->made++;
    c->last = slot;
    if (recording && record_move(b, C, slot)) return O_CAPACITY;
    if (outcome != O_MOVED) return outcome;
    observe(S, w);
    return watched_end(b, w);
}
#else
/* One decision of the scheduler and the step it leads to: how the run ends, or -1. */
INLINE int advance(State *S, Batch *b, Ctx *C, Watcher *w, Plan *p, Course *c, int kind, int recording) {
    u32 index = 0, slot;
    if (GPU && c->parked) {
        slot = p->slots[index = c->parked - 1];
    } else if (UNLIKELY(S->atomic)) {
        slot = S->atomic - 1;
        for (u32 i = 0; i < p->active; i++) if (p->slots[i] == slot) index = i;
    } else {
        if (UNLIKELY(!p->active)) return nobody_moves(S);
        index = plan_pick(S, p, kind, &b->scheduler, C);
        slot = p->slots[index];
    }
    Thread *T = &S->t[slot];
    if (recording) C->chosen = 0;
#if GPU
    int outcome = step_or_park(S, T, C, c->parked);
    c->parked = outcome == PARKED ? index + 1 : 0;
    if (outcome == PARKED) return -1;
#else
    int outcome = step_in_place(S, T, C);
#endif
    if (UNLIKELY(outcome != O_MOVED)) {
        c->last = slot;
        if (outcome == O_BLOCKED) { set_aside(p, index, C->kind == OP_THREAD_JOIN); return -1; }
        c->made++;
        if (recording && record_move(b, C, slot)) return O_CAPACITY;
        return outcome;
    }
    c->made++;
    if (recording && record_move(b, C, slot)) return O_CAPACITY;
#if DORMANT
    if (C->slept && (outcome = create_more(S, b, C, slot, c->patience, &c->made, recording)) != O_MOVED) {
        c->last = slot;
        return outcome;
    }
#endif
    plan_moved(S, p, kind, &b->scheduler, C, slot, ++c->planned);
    observe(S, w);
    int end = watched_end(b, w);
    if (UNLIKELY(end >= 0)) c->last = slot;
    return end;
}
#endif

#if GPU
/* S is a state, or zero: threads that are neither in it nor in the start are zero already. */
INLINE void start_again(State *S, const State *start) {
    copy_bytes(S, start, (u64)&((State *)0)->t);
    for (u32 i = 0; i < SLOTS; i++) {
        if (start->t[i].phase != PHASE_NONE) copy_bytes(&S->t[i], &start->t[i], sizeof(Thread));
        else if (S->t[i].phase != PHASE_NONE) fill_bytes(&S->t[i], 0, sizeof(Thread));
    }
}
#else
#define start_again(S, start) copy_bytes(S, start, sizeof(State))
#endif

/* The state, the random numbers and what is watched at the beginning of run i: how it ends at once, or -1. */
INLINE int begin_run(State *S, State *watched, Batch *b, u64 i, Ctx *C, Watcher *w) {
    Watcher nothing = NOTHING_SEEN;
    *w = nothing;
    if (b->stages) w->following = b->stages[i];
    w->print = b->print;
    start_again(S, &b->starts[b->start_of ? b->start_of[i] : 0]);
    fill_bytes(C, 0, sizeof *C);
    C->rng = rng_of(b->seed, b->first_run + i);
    prepare(C);
    C->random = 1;
    C->telling = (u8)b->telling;
    C->capped = (u8)b->capped;
    C->watched = watched;
    observe(S, w);
    return watched_end(b, w);
}

/* What a run comes to, in the places for its results. */
INLINE void end_run(State *S, State *watched, Batch *b, u64 i, Ctx *C, Watcher *w, int outcome, u64 steps, u32 last) {
    if (b->outcome) b->outcome[i] = (u8)outcome;
    if (b->steps) b->steps[i] = steps;
    if (b->verdict) b->verdict[i] = (u8)w->verdict;
    if (b->value) b->value[i] = AGGREGATE == 3 && w->count ? w->sum / (double)w->count : w->value;
    if (b->score) b->score[i] = w->score;
    if (b->pc) b->pc[i] = S->t[last < SLOTS ? last : 0].pc;
    if (b->detail) b->detail[i] = outcome == O_CAPACITY ? C->resource : C->kind;
    if (b->stage) b->stage[i] = w->stage;
    if (PRINTS) b->print = w->print;
    if (b->lost) b->lost[i] = (u8)b->loses(b->leaks, (u8 *)S, (u8 *)watched, outcome, C->kind);
    if (b->final) copy_bytes(&b->final[i], S, sizeof(State));
}

/* A run in which a creation waited for room in vain says nothing about the program. */
static int outcome_with_room(Ctx *C, int outcome) {
    if (!C->waits_for_room || (outcome != O_DEADLOCK && outcome != O_STEPS && outcome != O_STUCK)) return outcome;
    C->resource = ROOM_THREADS;
    return O_CAPACITY;
}

#if !GPU
INLINE int explore(State *S, Batch *b, Ctx *C, Watcher *w, u64 *steps, u32 *last, int kind, int recording) {
    Plan p;
    Course c;
    int end = -1;
    set_out(S, b, C, &p, &c);
    while (end < 0 && c.made < b->max_steps) {
        end = advance(S, b, C, w, &p, &c, kind, recording);
        if (UNLIKELY(!(c.made & 0xfff)) && end < 0 && b->interrupt && *b->interrupt) end = O_INTERRUPTED;
    }
    *steps = c.made;
    *last = c.last;
    return end < 0 ? O_STEPS : end;
}

static int one_run(Batch *b, u64 i, Ctx *C, Watcher *w, u64 *steps, u32 *last) {
    State *S = b->work;
    int end = begin_run(S, b->work + 1, b, i, C, w);
    if (end >= 0) return end;
    C->record = b->moves ? b->choices : 0;
    C->record_room = (i32)b->choice_room;
    b->move_count = 0;
    if (b->moves && b->scheduler.kind != SCHED_REPLAY) return explore(S, b, C, w, steps, last, b->scheduler.kind, 1);
    switch (b->scheduler.kind) {
    case SCHED_REPLAY: return replay(S, b, C, w, steps, last);
    case SCHED_UNIFORM: return explore(S, b, C, w, steps, last, SCHED_UNIFORM, 0);
    case SCHED_WALK: return explore(S, b, C, w, steps, last, SCHED_WALK, 0);
    default: return explore(S, b, C, w, steps, last, b->scheduler.kind, 0);
    }
}

/* How many runs were made: all of them, or those before an interrupt. */
EXPORT u64 tp_batch(Batch *b) {
    for (u64 i = 0; i < b->runs; i++) {
        if (b->interrupt && *b->interrupt) return i;
        Ctx C;
        Watcher w;
        u64 steps = 0;
        u32 last = 0;
        int outcome = one_run(b, i, &C, &w, &steps, &last);
        if (outcome == O_INTERRUPTED) return i;
        end_run(b->work, b->work + 1, b, i, &C, &w, outcome_with_room(&C, outcome), steps, last);
    }
    return b->runs;
}
#endif
