/* Words every part of the machine uses, after those of words.h. The generator defines before this file:
 *
 *   INSTRUCTION, SPURIOUS        the granularity and whether waiting threads may wake by themselves (0 or 1)
 *   FOOTPRINTS, SOLO_EVER        whether steps record what they touch, and where they stop (0 or 1)
 *   SLOTS, FRAMES, REGS, STACK_OBJECTS, STACK_BYTES, HEAP_OBJECTS, HEAP_BYTES, KEYS    capacities of the state
 *   DORMANT                      0, or how many threads of each creation run; the others exist and never move
 *   GLOBAL_BYTES, TLS_BYTES, MASKED_GLOBALS, HAS_ATOMIC, SLOT_IS_NUMBER, POINTER_BITS   facts about the program
 *   CODE, MAIN_ARENA, ...        the address layout
 *   GPU                          1: for lanes.h on a graphics processor, 0: for batch.h here
 */
#define INLINE static inline __attribute__((always_inline))
/* Not printed into every operation: that would make compilation slow and code large. */
#define SLOW static __attribute__((noinline))

/* What an operation answers instead of the next program counter. */
enum {
    STOP = -1,          /* visible to others: for the next step */
    ENDED = -2,         /* the thread has finished */
    STOP_HERE = -3,     /* a choice that begins a step of its own */
    TRAP = -4,
    FAIL = -5,
    ASSUME = -6,
    HALT = -7,
    UNSUPPORTED = -8,
    NEED = -9,          /* the choices given were used up */
    BLOCKED = -10,
    NOT_NATIVE = -11,   /* the reference has a meaning for it, this machine has none */
    CAPACITY = -12,     /* the state block has no room */
    NO_ADDRESS = -13    /* the address layout has no room */
};

enum { WAIT_NO, WAIT_NOT_YET, WAIT_DOOMED, WAIT_WOKEN, WAIT_HEIRS, WAIT_UNSURE }; /* semantics.state.Wake */
enum { UNSHARED = 1, FREED = 2, ZEROED = 4, CONSTANT = 8, DEAD = 16, HELD = 32 }; /* HELD: by a dormant thread */
#define NOT_ALIVE (FREED | DEAD)
enum { KNOWN, ARBITRARY, COPIED };
enum { NO_NAME = -1, NAME_IS_NUMBER = -2, NAME_IS_OFFSET = -3 };

/* --- random numbers: SplittableRandom (Steele, Lea, Flood, OOPSLA 2014), one generator per (seed, run) ------------ */

typedef struct { u64 at, gamma; } Rng;

static u64 mix64(u64 z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static Rng rng_of(u64 seed, u64 run) {
    u64 a = mix64(seed + 0x9e3779b97f4a7c15ULL), b = mix64(run * 0xd1342543de82ef95ULL + 0x2545f4914f6cdd1dULL);
    Rng r = { mix64(a ^ b), mix64(a + 3 * b) | 1 };
    if (__builtin_popcountll(r.gamma ^ (r.gamma >> 1)) < 24) r.gamma ^= 0xaaaaaaaaaaaaaaaaULL;
    return r;
}

static inline u64 draw(Rng *r) { return mix64(r->at += r->gamma); }
static inline u32 below(Rng *r, u32 n) { return (u32)(((draw(r) >> 32) * n) >> 32); }

/* --- the running step ------------------------------------------------------------------------------------------ */

typedef struct {
    u8 first, open, alone;
    u8 random, telling;                /* choices are drawn, and from which values */
    u8 threads_changed;
    u8 capped, waits_for_room;         /* a creation without room waits instead of ending the run; one did */
    u8 slept;                          /* a thread was created that never moves */
    u32 passed_over;                   /* drawn: of the creations that might run, about one in so many (plus one) does */
    i32 kind, name, text, resource;    /* details of what ended the step */
    u64 number;
    u64 low, high;                     /* of the choice that is missing */
    i32 is_signed, bits, source, source_name;
    const i64 *choices;
    i32 given, chosen;
    const i64 *cases; i32 case_count;  /* of the choice being made: one value of each kind */
    i64 *record;                       /* where drawn choices and their signs are written, or null */
    i32 record_room;
    void *watched;                     /* room for one more state (visible steps) */
#if GPU
    u8 elsewhere;                      /* the step needs what only the processor outside does: the run is made there */
#endif
    Rng rng;
#if FOOTPRINTS
    Touch *touches;                    /* null: nobody wants to know */
    u32 touched, touch_room, mode;     /* touched > touch_room: there was more than that */
#endif
} Ctx;

#if FOOTPRINTS
static void touch(Ctx *C, u64 a, u64 size, u32 mode) {
    if (!C->touches || C->touched > C->touch_room) return;
    u32 last = C->touched < 4 ? C->touched : 4;
    for (u32 i = C->touched - last; i < C->touched; i++)
        if (C->touches[i].address == a && C->touches[i].size == size && C->touches[i].mode == mode) return;
    if (C->touched < C->touch_room) {
        Touch t = { a, (u32)(size ? size : 1), mode };
        C->touches[C->touched] = t;
    }
    C->touched++;
}
#define TOUCH_DATA(a, size) touch(C, a, size, C->mode | DATA | (T->depth ? ATOMIC : 0))
#define TOUCH_AS(how) (C->mode = (how))
#else
#define touch(C, a, size, mode) ((void)0)
#define TOUCH_DATA(a, size) ((void)0)
#define TOUCH_AS(how) ((void)0)
#endif

/* Of a step of one instruction it is always so. */
#if INSTRUCTION
#define IS_OPEN 1
#else
#define IS_OPEN C->open
#endif

static inline int trap_at(Ctx *C, int kind, int name) {
    C->kind = kind; C->name = name; C->number = 0;
    return TRAP;
}

static inline int unsupported(Ctx *C, int text, int name) {
    C->text = text; C->name = name;
    return UNSUPPORTED;
}

static inline int no_room(Ctx *C, int resource) {
    C->resource = resource;
    return CAPACITY;
}

static inline int no_address(Ctx *C, int text) {
    C->text = text; C->name = NO_NAME;
    return NO_ADDRESS;
}

static inline int not_native(Ctx *C, int text) {
    C->text = text; C->name = NO_NAME;
    return NOT_NATIVE;
}
