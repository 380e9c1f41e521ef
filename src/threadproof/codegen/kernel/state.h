/* One state is one flat block: equal states are equal bytes. Whatever is not in use is zero.
 *
 * Objects keep the addresses of the fixed layout; their bytes lie densely, at offsets that are a function of the
 * sizes of the live objects before them. The running frame of a thread is kept in the thread itself. Registers that
 * are dead are zero at every program counter. */

typedef struct { u64 start; u32 size, off; i32 name; u32 flags; } Obj;

/* handler: the frame above is that of a signal's handler, and this one goes on where it was. */
typedef struct { u64 cursor; u32 pc, rb, mark, base, fn, handler; } Frame;

typedef struct {
    u8 phase, pending, waiting, cancelled, cancel_disabled, detached, zero[2];
    u32 pc, rb;          /* program counter; first register of the running frame */
    u32 base, fn;        /* first stack byte of the running frame; its function */
    u32 mark, nframes;   /* stack objects below the running frame; frames below it */
    u32 depth, children;
    u32 nstack, nheap, sbytes, hbytes;
    u32 round, next_key; /* ending: how often all destructors have run, and the key to look at next */
#if DORMANT
    u32 number, site, start; /* its number; 1 + where it was created, and its routine */
    u32 newest;          /* of the thread it created last: AWAKE, or DORMANT_... */
#endif
    u64 frame_cursor, cursor, heap_cursor, result, condition;
    u64 specifics[KEYS + 1];
    u64 regs[REGS];
    u8 sdata[STACK_BYTES], smask[STACK_BYTES];
    u8 tls[TLS_BYTES];
#if MASKED_GLOBALS
    u8 tls_mask[TLS_BYTES];
#endif
    u8 hdata[HEAP_BYTES], hmask[HEAP_BYTES];
    Frame frames[FRAMES];
    Obj stack[STACK_OBJECTS], heap[HEAP_OBJECTS];
} Thread;

typedef struct {
    u32 atomic, nkeys;   /* atomic: slot + 1 of the thread inside an atomic block */
#if DORMANT
    u32 dormant, unused; /* how many threads exist and never move */
#endif
#if ENVIRONMENT
    Env env;
#endif
    u64 keys[KEYS + 1];
    u8 g[GLOBAL_BYTES];
#if MASKED_GLOBALS
    u8 gmask[GLOBAL_BYTES];
#endif
    Thread t[SLOTS];
} State;

typedef struct { u64 start, size; u32 off; i32 name; u32 flags, unused; } Global;

#if ENVIRONMENT
/* What the texts of an environment may use; `thread` is the number of a thread, as in `core.thread_id`. */
#define ENV_FUNCTION(name) static int name(State *S, i64 thread, const u64 *args, u64 *result, Rng *rng)
#define ARG(n) ((i64)(i32)args[n])
#define RESULT(value) (*result = (u64)(value))
#define WAIT return 1
#define PROCESS(n) ((n) ? 2 * (i64)(n) - 1 : 0)
#define BELOW(n) ((i64)below(rng, (u32)(n)))
#define RANDOM() ((double)(draw(rng) >> 11) * 0x1p-53)
#else
#define ENV_CHOOSES 0
#endif

/* Defined by the generated part, behind the kernel. */
#if GPU
/* An access that an operation asks for: see codegen/machine/gpu_text.py. */
typedef struct { i32 kind; u32 size; u64 a, value; } Asked;
enum { RARE = -101, ASKED = -100, ASK_LOAD = 0, ASK_STORE, ASK_ADD };

INLINE i32 ask(Asked *asked, i32 kind, u64 a, u32 size, u64 value) {
    asked->kind = kind; asked->size = size; asked->a = a; asked->value = value;
    return ASKED;
}

/* An operation as a row of a table: see kernel/quick.h. Words are offsets in the state, of where the low bits say. */
typedef struct {
    u16 a, b, known, to, zero[3], kind; /* read, read, must be zero, written, set to zero */
    u32 value;                          /* in place of a and b */
    u16 then, otherwise, unused[4];
} __attribute__((aligned(16))) Row;
typedef struct { State S; u64 zero, sink; } Hand; /* `zero` is always that, and nobody reads `sink` */
#define NO_WORD (u16)(u64)&((Hand *)0)->zero
#define SINK (u16)(u64)&((Hand *)0)->sink
#define NOWHERE 0xffff /* no program counter */
#define IN_STATE(part, at) (u16)((u64)&((State *)0)->part + (at))
#define IN_REGISTERS(at) (u16)((u64)&((Thread *)0)->regs + (at) + 1)
#define IN_FRAME(part, at) (u16)((u64)&((Thread *)0)->part + (at) + 2)

/* A switch, since calls by pointers are slow there. What most operations need is loaded before it, by all lanes
 * together, and those that differ only in their places are one. */
INLINE i32 perform(State *S, Thread *T, Ctx *C); /* RARE: not done yet, `perform_rare` does it */
SLOW i32 perform_rare(State *S, Thread *T, Ctx *C);
#define OPERATION(name) INLINE i32 name(State *S, Thread *T, Ctx *C, Asked *asked, u64 *R, u32 frame_base, u32 pc)
#define OPERATION_BEGINS
#define HALF(slot) (*(u32 *)&R[slot])
#define GO_TO(target, distance) (i32)(pc + (distance))
#define FRAME_DATA ((u8 *)__builtin_assume_aligned(T->sdata + frame_base, 8))
#define FRAME_MASK ((u8 *)__builtin_assume_aligned(T->smask + frame_base, 8))
#else
typedef i32 (*Op)(State *S, Thread *T, Ctx *C);
static const Op OPS[PC_COUNT];
#define perform(S, T, C) OPS[(T)->pc](S, T, C)
#define OPERATION(name) static i32 name(State *S, Thread *T, Ctx *C)
#define OPERATION_BEGINS u64 *R = T->regs + T->rb;
#define GO_TO(target, distance) target
#define FRAME_DATA (T->sdata + T->base)
#define FRAME_MASK (T->smask + T->base)
#endif

static inline u32 slot_of(State *S, Thread *T) { return (u32)(T - S->t); }

static inline u64 number_of(State *S, Thread *T) {
#if DORMANT
    return T->number;
#elif SLOT_IS_NUMBER
    return slot_of(S, T);
#else
    return T == S->t ? 0 : 2 * (u64)slot_of(S, T) - 1;
#endif
}

/* SLOTS if there is none. */
static inline u32 slot_of_number(State *S, u64 number) {
#if DORMANT
    u32 slot = 0;
    while (slot < SLOTS && (S->t[slot].phase == PHASE_NONE || S->t[slot].number != number)) slot++;
    return slot;
#elif SLOT_IS_NUMBER
    return number < SLOTS ? (u32)number : SLOTS;
#else
    if (!number) return 0;
    return (number & 1) && (number + 1) / 2 < SLOTS ? (u32)((number + 1) / 2) : SLOTS;
#endif
}

static inline u64 arena_of(u64 number) { return number ? ARENAS + (number - 1) * ARENA_SIZE : MAIN_ARENA; }
static inline u64 stack_start(u64 number) { return arena_of(number) + STACK_OFFSET; }
static inline u64 heap_start(u64 number) { return arena_of(number) + (number ? ARENA_STACK : MAIN_STACK); }
static inline u64 heap_end(u64 number) { return arena_of(number) + (number ? ARENA_SIZE : MAIN_SIZE); }
/* Places beyond all addresses, as in `sync.footprint`. */
#define CANCEL_PLACE(handle) (THREAD_PLACE(handle) | 8)
#define HEAP_PLACE(size) (HEAP_BEYOND | ((size) < LARGEST_PLACE ? (size) : LARGEST_PLACE))

static inline int is_cancellable(const Thread *T) { return T->phase == PHASE_RUNNING || T->phase == PHASE_RETURNED; }

static inline u64 handle_of(State *S, Thread *T) { return number_of(S, T) + 1; }

static inline Thread *thread_by_handle(State *S, u64 handle) {
    u32 slot = handle ? slot_of_number(S, handle - 1) : SLOTS;
    return slot < SLOTS && S->t[slot].phase != PHASE_NONE ? &S->t[slot] : 0;
}

/* The slot of the thread with the i-th smallest number: choices among threads are made in that order. */
static inline u32 slot_in_order(State *S, u32 i) {
#if DORMANT && SLOT_IS_NUMBER
    for (u32 t = 0; t < SLOTS; t++) {
        u32 before = 0;
        for (u32 o = 0; o < SLOTS; o++)
            before += S->t[o].phase == PHASE_NONE ? o < t && S->t[t].phase == PHASE_NONE
                                                  : S->t[t].phase == PHASE_NONE || S->t[o].number < S->t[t].number;
        if (before == i) return t;
    }
#endif
    return i;
}

#if DORMANT
enum { AWAKE, DORMANT_NEW, DORMANT_DETACHED };

/* Whether the handle is of a thread that was created and never moves. core/thread_id.py: identity */
static int is_dormant(State *S, u64 handle) {
    if (handle < 2) return 0;
    u64 number = handle - 1, parent = 0, index = number / 2;
    if (slot_of_number(S, number) < SLOTS) return 0;
    if (!(number & 1)) {
        u64 near = (number - 2) / 8, diagonal = 0;
        index = (number - 2) / 2 % 4;
        parent = near + 1;
        if (index == 3) {
            while ((diagonal + 1) * (diagonal + 2) / 2 <= near) diagonal++;
            index = near - diagonal * (diagonal + 1) / 2;
            parent = diagonal - index + 1;
            index += 3;
        }
    }
    u32 slot = slot_of_number(S, parent);
    return slot < SLOTS && index < S->t[slot].children;
}
#endif
