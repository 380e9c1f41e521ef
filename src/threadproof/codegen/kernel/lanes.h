/* Runs on a graphics processor. A lane (a thread of the GPU) makes one run after the other: those whose numbers are its
 * own modulo the number of lanes. A launch lasts for so many turns; what a lane has begun then waits in memory for the
 * next launch. Rare operations take long, and each lane's come at another time: they wait for company. Whatever the
 * order in which lanes work, a run is the function of its start, the seed and its number that it is in batch.h.
 *
 * The same text runs on a processor, lane by lane (EMULATED): for tests. */

#define ADD(at, n) __atomic_fetch_add(at, n, __ATOMIC_RELAXED)

#define OUTCOMES 32
#define ELSEWHERE_ROOM 4096
#define MADE_ELSEWHERE 255

/* Over all runs of a batch. */
typedef struct {
    u64 open;                         /* lanes that have not made all their runs */
    u64 steps;
    u64 count[2 * OUTCOMES];          /* by verdict and outcome */
    u64 turns;                        /* steps and attempts at one, of all lanes */
    u64 elsewhere;                    /* runs that the GPU cannot make: they count nowhere else */
    u64 numbers[ELSEWHERE_ROOM];      /* the first of them */
} Sums;

typedef struct {
    Batch *batch;
    u64 *saved;                       /* room for the lanes between launches, word by word: those of all lanes, ... */
    State *watched;                   /* room for one state a lane; null with steps of one instruction */
    Sums *sums;
    u64 *made;                        /* random walk: steps by slot over all runs; may be null */
    u32 lanes, turns;
    u32 first;                        /* 1: of the launches of a batch */
    u32 gather;                       /* lanes of 32 that begin their runs together, unless fewer have any left */
    u32 company;                      /* lanes of 32 that do rare operations together, unless no other goes on */
} Launch;

enum { LANE_BEGINS, LANE_RUNS, LANE_DONE };

typedef struct {
    State S;
    Ctx C;
    Plan p;
    Watcher w;
    Course c;
    u64 run, phase, last;
    u64 made[SLOTS];
} Lane;

EXPORT const u64 tp_sizes[2] = { sizeof(Lane), sizeof(Sums) };

#define EACH_WORD(part, action) do { \
    u64 *words = (u64 *)(part); \
    for (u64 i = 0; i < sizeof *(part) / 8; i++, at += lanes) action; \
} while (0)
#define KEEP(part) EACH_WORD(part, *at = words[i])
#define TAKE(part) EACH_WORD(part, words[i] = *at)
/* What nobody asks for is not kept in registers all the time only to be saved. */
#define OF_WATCHER(how) do { if (AGGREGATE || HAS_SCORE) how(&w); } while (0)
#define OF_COURSE(how) do { if (UNIFORM_ONLY) { how(&c.made); how(&last); } else { how(&c); how(&made); } } while (0)
#define ALL_PARTS(how) do { \
    how(S); how(&C); how(&p); how(&run); how(&phase); OF_WATCHER(how); OF_COURSE(how); \
} while (0)

INLINE int is_number(const Watcher *w) { return w->value == w->value && w->sum == w->sum && w->score == w->score; }

INLINE void count_run(State *S, Batch *b, u64 run, Ctx *C, Watcher *w, Course *c, int end, Sums *sums, u32 *count) {
    int outcome = outcome_with_room(C, end);
    if (C->elsewhere || !is_number(w)) {
        u64 number = ADD(&sums->elsewhere, 1);
        if (number < ELSEWHERE_ROOM) sums->numbers[number] = run;
        if (b->outcome) b->outcome[run] = MADE_ELSEWHERE;
        return;
    }
    count[w->verdict * OUTCOMES + outcome]++;
    end_run(S, 0, b, run, C, w, outcome, c->made, c->last);
}

#if UNIFORM_ONLY
#define SCHEDULER SCHED_UNIFORM
#else
#define SCHEDULER b->scheduler.kind
#endif

KERNEL EXPORT void tp_lanes(Launch L) {
    u64 lanes = L.lanes, lane = lane_number(), steps = 0, turns = 0;
#if UNIFORM_ONLY
    Batch *b = L.batch; /* read where it is needed: registers are few */
#else
    Batch own = *L.batch, *b = &own;
#endif
    Hand hand;
    State *S = &hand.S;
    Ctx C;
    Plan p;
    Watcher w = NOTHING_SEEN;
    Course c;
    u64 last = 0, run = lane, phase = lane < b->runs ? LANE_BEGINS : LANE_DONE, made[SLOTS], *at = L.saved + lane;
    u32 count[2 * OUTCOMES] = { 0 };
    State *watched = L.watched ? L.watched + lane : 0;
    hand.zero = 0;
    if (L.first) {
        fill_bytes(S, 0, sizeof *S);
    } else {
        ALL_PARTS(TAKE);
        if (UNIFORM_ONLY) { c.last = (u32)last; c.parked = (u32)(last >> 32); }
    }
#if !UNIFORM_ONLY
    own.scheduler.made = L.made ? made : 0;
#endif
    u64 room = b->max_steps;
    for (u32 turn = 0; turn < L.turns; turn++) {
        u64 before = c.made;
        int end = -1;
        if (WALKS) {
            end = walk(S, b, &C, &w, &p, &c, phase == LANE_RUNS, L.company, room, &turn, L.turns);
            if (phase == LANE_RUNS) turns += c.made - before;
        }
        u32 idle = VOTES(phase == LANE_BEGINS), done = VOTES(phase == LANE_DONE);
        if (done == ~0u) break;
        u32 parked = VOTES(phase == LANE_RUNS && c.parked), others = ~(idle | done | parked);
        if (WALKS && phase == LANE_RUNS && (end >= 0 || !c.called)) {
        } else if (phase == LANE_RUNS) {
            if (!WALKS && c.parked && others && (u32)__builtin_popcount(parked) < L.company) continue;
            end = advance(S, b, &C, &w, &p, &c, SCHEDULER, 0);
            turns += !c.parked;
            if (end < 0 && c.made >= room) end = O_STEPS;
        } else if (phase == LANE_BEGINS && ((u32)__builtin_popcount(idle) >= L.gather || (idle | done) == ~0u)) {
            phase = LANE_RUNS;
            for (u32 i = 0; L.made && i < SLOTS; i++) made[i] = 0;
            end = begin_run(S, watched, b, run, &C, &w);
            c.made = c.last = c.parked = 0;
            if (end < 0) set_out(S, b, &C, &p, &c);
            if (end < 0 && !room) end = O_STEPS;
        }
        if (end >= 0) {
            count_run(S, b, run, &C, &w, &c, end, L.sums, count);
            if (!C.elsewhere && is_number(&w)) {
                steps += c.made;
                for (u32 i = 0; L.made && i < SLOTS; i++) ADD(&L.made[i], made[i]);
            }
            run += lanes;
            phase = run < b->runs ? LANE_BEGINS : LANE_DONE;
        }
    }
    at = L.saved + lane;
    last = c.last | (u64)c.parked << 32;
    ALL_PARTS(KEEP);
    if (phase != LANE_DONE) ADD(&L.sums->open, 1);
    if (turns) ADD(&L.sums->turns, turns);
    if (steps) ADD(&L.sums->steps, steps);
    for (u32 i = 0; i < 2 * OUTCOMES; i++)
        if (count[i]) ADD(&L.sums->count[i], count[i]);
}

#if EMULATED
EXPORT void tp_emulate(Launch *L) {
    for (lane_at = 0; lane_at < L->lanes; lane_at++) tp_lanes(*L);
}
#endif
