/* The stateful search: no state twice, few preemptions first. Compiled once for all programs: a machine is its
 * `tp_step` and where threads lie in its block. The reference is `engines.explicit.reference`.
 *
 * This file holds what is kept; `waiting.h`, `steps.h`, `choose.h`, `fold.h`, `expand.h`, `proviso.h` and `workers.h`
 * follow. Of several workers each has a `Search` with an `Inside`; `Shared` and its table are common. */

enum { MORE, DONE, VIOLATED, NOT_NATIVE, SHORT, MEMORY, LOST };
enum { END, CUT, VIOLATION };                       /* what an outcome means for the property */
enum { WATCH_NOTHING, WATCH_RACES, WATCH_DEADLOCKS };
enum { REDUCE_NOT, REDUCE_LOCAL, REDUCE_PERSISTENT };

/* Of a state, in place of a successor that it leads to: `proviso.h`. */
enum { FULL = -8, SETTLED, WALKED, UNUSED, NOT_YET };
#define IS_SUCCESSOR(onward) ((onward) < (u32)FULL)

#define PATIENCE 128                                /* of so many states one is expanded in full */
#define MOST_JOBS 64
#define MOST_DORMANT (1u << 15)                     /* threads that never run and are created in a row */
#define STRETCH 64                                  /* turns of one kind in a row */
#define ALL 256                                     /* domains up to this size are enumerated */
#define ROOM 512                                    /* telling values of a wide one */
#define CHOICES 256                                 /* in one step */
#define NOBODY 0xffff

typedef int (*Step)(u8 *state, u8 *watched, u32 slot, const i64 *choices, i32 given, Detail *d);

typedef struct { u32 state; u16 last, forced; } Waiting;    /* forced: all threads are to be moved */
typedef struct { Waiting *items; u64 first, end, room; } Bucket;
typedef struct { u32 slot, choices, times; } Edge;

typedef struct {
    Table table;
    i64 *choice_pool;
    u64 choices_used, choices_room;
    struct Search *of[MOST_JOBS];                   /* the workers */
    u32 jobs, arrived, idle, stopped;               /* in this round: how many began, and look for work; it shall end */
    u64 settled, judged;                            /* `proviso.h` has looked at numbers before it, so many of states */
} Shared;

typedef struct {
    Shared *shared;
    Table *table;
    Hand hand;
    Numbers numbers;
    u32 locked;                                     /* guards what waits, from here to `lowest` */
    u64 waiting;
    Bucket *buckets;
    u64 bucket_count, bucket_room, turn, lowest;
    Edge *edges;                                    /* of the state at hand, with the vectors they lead to */
    i64 *edge_choices;
    u32 *leads, *vector;
    u8 *enabled, *tried;                            /* by slot */
    u64 edge_room, lead_room, edges_used, edge_choices_used, edge_choices_room, expanded, found;
    Touch *touches;                                 /* of the steps of the state at hand, thread by thread */
    Situation now;                                  /* if somebody looked */
    u32 *key, *folded;                              /* of `fold.h` */
    u8 *bytes, *order;                              /* order: slots, in the order in which threads are asked */
    u64 folds, fold_room;
    u32 looked;
    u64 touched, touch_room;
    u32 *touches_from, *touches_to;                 /* by slot */
    i64 choices[CHOICES], told[2 * CHOICES];        /* made so far; told: each with whether it is signed */
} Inside;

typedef struct {                                    /* where in a thread's block addresses of its arena stand */
    const u64 *arena;                               /* by slot: where it begins */
    u32 cursors_at[3], nstack_at, nheap_at;
} Symmetry;

typedef struct Search {
    /* the machine */
    Step step;
    const u8 *initial;
    u32 state_size, threads, threads_at, thread_size, pc_at, area_count;
    const Area *areas;                              /* of one thread */
    /* the question */
    const u8 *of_failed, *of_undefined;             /* END, CUT or VIOLATION by kind */
    i32 watch, reduction;
    i32 goes_on;                                    /* with the rest when a state block has no room */
    u32 telling_count;
    const i64 *telling;                             /* values tried for wide choices, after 0, 1, -1 and the bounds */
    const u8 *quiet_at;                             /* by program counter: whether what follows commutes with the others */
    const Facts *facts;                             /* null: nothing is known about what threads touch */
    const Symmetry *symmetry;                       /* null: threads are told apart */
    const u32 *values_at;                           /* by program counter: 0, or where in `values` a list begins */
    const i64 *values;                              /* lists: their length, then the values */
    Crowd crowd;
    void (*ended)(const u8 *state, i32 outcome, const Detail *d);  /* null: nobody asks how executions end */
    Loses loses;                                    /* null: nobody asks for lost memory */
    const void *leaks;
    /* the answer */
    u64 states, steps, ends, waiting, contents;
    i32 cut, cut_outcome;                           /* why `true` cannot be said: how often, and the first */
    i32 short_of;                                   /* the room that was too small; -1: none */
    Detail detail;                                  /* of `cut_outcome`, or of what ended the search */
    u64 last_state, last_slot, last_choices;        /* of a violation; last_slot == threads: the state itself */
    u64 met_state, met_slot, met_choices, met;      /* the same of the first undefined behaviour; met: there was some */
    Inside *in;
} Search;

static u8 phase_of(const Search *s, const u8 *state, u32 slot) { return state[s->threads_at + slot * s->thread_size]; }
static u8 pending_of(const Search *s, const u8 *state, u32 slot) {
    return state[s->threads_at + slot * s->thread_size + 1];
}
static int is_quiet(const Search *s, const u8 *state, u32 slot) {
    return s->quiet_at[word_at(state, s->threads_at + slot * s->thread_size + s->pc_at)];
}
static u32 pc_of(const Search *s, const u8 *state, u32 slot) {
    return word_at(state, s->threads_at + slot * s->thread_size + s->pc_at);
}
static int is_creating(const Search *s, const u8 *state, u32 slot) {
    return creates_dormant(&s->crowd, state + s->threads_at, s->threads, s->thread_size, slot, pc_of(s, state, slot));
}
static int is_live(const Search *s, const u8 *state, u32 slot) {
    u8 phase = phase_of(s, state, slot);
    return phase != PHASE_NONE && phase != PHASE_FINISHED;
}
