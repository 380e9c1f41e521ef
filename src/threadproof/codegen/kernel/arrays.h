/* Memory of the searches: what the C library gives, arrays that never move, words of states. */
void *malloc(__SIZE_TYPE__), *calloc(__SIZE_TYPE__, __SIZE_TYPE__), *realloc(void *, __SIZE_TYPE__);
void free(void *);
void *mmap(void *, __SIZE_TYPE__, int, int, int, long);
int munmap(void *, __SIZE_TYPE__), madvise(void *, __SIZE_TYPE__, int), sched_yield(void);

#define RESERVED (1ULL << 38)                   /* address space of an array, if the system gives that much */

static u32 word_at(const u8 *block, u64 at) { u32 w; copy_bytes(&w, block + at, 4); return w; }
static u32 is_set(const u32 *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
static void set(u32 *flag, u32 value) { __atomic_store_n(flag, value, __ATOMIC_RELAXED); }

/* Zeros that take memory where they are written; large pages, because what is looked for lies anywhere. */
static void *zeros(u64 bytes) {
    enum { READ_WRITE = 3, PRIVATE = 2, ANONYMOUS = 0x20, NO_RESERVE = 0x4000, HUGE_PAGES = 14 };
    void *found = mmap(0, bytes, READ_WRITE, PRIVATE | ANONYMOUS | NO_RESERVE, -1, 0);
    if (found == (void *)-1) return 0;
    madvise(found, bytes, HUGE_PAGES);
    return found;
}

/* Address space for up to `most` items; how many there is room for. Where address space is limited, for less. */
static void *reserve(u64 most, u64 item, u64 *room) {
    u64 bytes = most * item < RESERVED ? most * item : RESERVED;
    void *found = 0;
    for (; bytes >= 1 << 20 && !(found = zeros(bytes)); bytes /= 2) {}
    *room = found ? bytes / item : 0;
    return found;
}

static void give_back(void *array, u64 bytes) { if (array) munmap(array, bytes); }
