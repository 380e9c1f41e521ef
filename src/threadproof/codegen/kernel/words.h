/* Words of the machine and of those who drive it from outside: numbers, outcomes, footprints. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int i32;
typedef long long i64;
typedef __int128 i128;
typedef unsigned __int128 u128;

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#if GPU
/* By words where that is possible: compilers for GPUs copy anything large byte by byte. */
static inline void copy_words(void *to, const void *from, u64 n) {
    if (!(((u64)to | (u64)from | n) & 7))
        for (u64 i = 0; i < n / 8; i++) ((u64 *)to)[i] = ((const u64 *)from)[i];
    else
        for (u64 i = 0; i < n; i++) ((u8 *)to)[i] = ((const u8 *)from)[i];
}
static inline void fill_words(void *to, u8 value, u64 n) {
    if (!(((u64)to | n) & 7))
        for (u64 i = 0; i < n / 8; i++) ((u64 *)to)[i] = 0x0101010101010101ULL * value;
    else
        for (u64 i = 0; i < n; i++) ((u8 *)to)[i] = value;
}
static inline int same_words(const void *a, const void *b, u64 n) {
    u64 i = 0;
    while (i < n / 8 && ((const u64 *)a)[i] == ((const u64 *)b)[i]) i++;
    return i == n / 8;
}
#define SMALL_COPY(n) (__builtin_constant_p(n) && (n) <= 64)
#define copy_bytes(to, from, n) (SMALL_COPY(n) ? (void)__builtin_memcpy(to, from, n) : copy_words(to, from, n))
#define fill_bytes(to, value, n) (SMALL_COPY(n) ? (void)__builtin_memset(to, value, n) : fill_words(to, value, n))
#define same_bytes same_words /* of whole words */
#else
#define copy_bytes __builtin_memcpy
#define fill_bytes __builtin_memset
#define same_bytes(a, b, n) (!__builtin_memcmp(a, b, n))
#endif
#define EXPORT __attribute__((visibility("default")))

/* What a step comes to: the order is known to `codegen.runs.outcomes`. */
enum {
    O_MOVED, O_FINISHED, O_FAILED, O_UNDEFINED, O_ASSUMPTION, O_BLOCKED, O_STUCK, O_UNSUPPORTED, O_CHOOSE,
    O_NOT_NATIVE, O_CAPACITY,
    /* of a whole run only */
    O_DEADLOCK, O_STEPS, O_DECIDED, O_LEVEL, O_SCHEDULE_END, O_INTERRUPTED
};

enum { PHASE_NONE, PHASE_RUNNING, PHASE_ENDING, PHASE_FINISHED, PHASE_RETURNED };
enum { PENDING_VISIBLE, PENDING_LOCAL, PENDING_END };

/* --- footprints: the modes are those of `sync.footprint` ---------------------------------------------------------- */

enum { READ, WRITE, ADD, SHARE, POST, ARRIVE_EVEN, ARRIVE_ODD, COMPLETE_EVEN, COMPLETE_ODD };
/* JOINS and ENDS: of the place of a thread. No other order than end, join is possible. */
enum { MODES = 15, DATA = 16, ATOMIC = 32, JOINS = 64, ENDS = 128 };

#define THREAD_PLACE(handle) (BEYOND | (handle) << 4)

typedef struct { u64 address; u32 size, mode; } Touch;

/* --- what ended a single step --------------------------------------------------------------------------------------- */

typedef struct {
    i32 kind, name, text, resource;
    u64 number, low, high;
    i32 is_signed, bits, source, source_name;
    u32 pc, chosen;
    Touch *touches;                 /* room for the footprint; null: not wanted */
    u32 touch_room, touched;
} Detail;

/* `tl_loses` of leaks.h: whether memory is lost where a step or a run came to. */
typedef i32 (*Loses)(const void *layout, const u8 *state, u8 *room, i32 outcome, i32 kind);
