/* Persistent sets: threads whose next steps nobody else can interfere with before one of them moves.
 *
 * Paper: P. Godefroid, LNCS 1032, 1996, chapter 4; for waiting threads A. Valmari's stubborn sets (LNCS 483, 1991).
 * Differs: sets of threads. What a thread does next and what it may do some day are bits, known for every program
 * counter (`analysis.footprints.futures`), so nothing is executed to choose a set.
 *
 * A set grows from one thread until nobody outside interferes:
 * - with a member that may move: by touching, some day, what the member's next step touches;
 * - with a member that waits for the end of a thread: by being that thread (or naming threads, which may detach it);
 * - with a member that waits for a lock that another holds: by releasing that lock.
 * A thread outside that waits for the end of a member cannot move before it. One outside that must take a lock which a
 * member holds, and which nobody outside releases before taking it, moves up to there only.
 *
 * Invariants: in every sequence of moves by threads outside the set, no move touches what the next step of a member
 * touches, and no member that waits is let go on. */

typedef struct { u64 reads, writes, releases; } Bits;

typedef struct {                    /* what `analysis.footprints.futures` says, by program counter */
    const Bits *next;
    const Bits *ahead;              /* `locks` + 1 of them: without conditions, then before each lock is taken */
    const u64 *leaves;              /* bit by bit the same: whether the function may be left */
    const u32 *lock_at, *joins_at;  /* 0, or 1 + the lock it takes; 0, or the register with the handle it joins */
    const u32 *holder_at;           /* by lock: where in a block stands who holds it */
    u32 locks, nframes_at, frames_at, frame_size, frame_pc_at, rb_at, regs_at, slot_is_number;
    u32 threads, threads_at, thread_size, number_at;  /* number_at: 0, or where in a thread's block its number stands */
} Facts;

#define MOST_THREADS 64
#define ENDS 1ULL                   /* of `analysis.footprints.touch_bits` */

typedef struct {
    Bits next, ahead;
    u64 joins;                      /* the thread whose end it waits for, as a set */
    u32 lock;                       /* 1 + the lock of another that it waits for */
} Stand;

typedef struct {
    const u8 *block;                /* the state */
    u64 live;                       /* as sets: the threads that have not ended, */
    u64 waiting;                    /* and those of them that certainly cannot move */
    u32 held;                       /* locks, as a set */
    u8 holder[32];                  /* by lock: the slot, or MOST_THREADS */
    Stand stand[MOST_THREADS];
} Situation;

static Bits or_bits(Bits a, Bits b) {
    Bits c = { a.reads | b.reads, a.writes | b.writes, a.releases | b.releases };
    return c;
}

static Bits and_bits(Bits a, Bits b) {
    Bits c = { a.reads & b.reads, a.writes & b.writes, a.releases & b.releases };
    return c;
}

/* What a thread may touch from here on; with a lock (1 + its number), before it takes that. */
static Bits ahead_of(const Facts *f, const u8 *thread, u32 pc, u32 lock) {
    Bits found = f->ahead[(u64)pc * (f->locks + 1) + lock];
    for (u32 n = word_at(thread, f->nframes_at); n-- && f->leaves[pc] >> lock & 1;) {
        pc = word_at(thread, f->frames_at + n * f->frame_size + f->frame_pc_at);
        found = or_bits(found, f->ahead[(u64)pc * (f->locks + 1) + lock]);
    }
    return found;
}

/* The slot of a handle; MOST_THREADS or more if it is none of ours. */
static u64 slot_of_handle(const Facts *f, const u8 *block, u64 handle) {
    if (!handle) return MOST_THREADS;
    u64 number = handle - 1;
    if (f->number_at) {
        const u8 *thread = block + f->threads_at;
        for (u32 t = 0; t < f->threads; t++, thread += f->thread_size)
            if (*thread != PHASE_NONE && word_at(thread, f->number_at) == number) return t;
        return MOST_THREADS;
    }
    if (f->slot_is_number || !number) return number;
    return number & 1 ? (number + 1) / 2 : MOST_THREADS;
}

static void find_holders(const Facts *f, Situation *now) {
    now->held = 0;
    for (u32 l = 0; l < f->locks; l++) {
        u32 handle = word_at(now->block, f->holder_at[l]);
        u64 slot = slot_of_handle(f, now->block, handle);
        now->holder[l] = (u8)(slot < MOST_THREADS ? slot : MOST_THREADS);
        if (handle) now->held |= 1u << l;
    }
}

/* How a thread stands. `exists` are the threads that were ever created. */
static void find_stand(const Facts *f, Situation *now, const u8 *thread, u32 slot, u32 pc, u64 exists) {
    Stand *st = &now->stand[slot];
    u32 lock = f->lock_at[pc], joins = f->joins_at[pc];
    st->next = f->next[pc];
    st->ahead = ahead_of(f, thread, pc, 0);
    st->joins = st->lock = 0;
    if (lock && (now->held >> (lock - 1) & 1) && now->holder[lock - 1] != slot) st->lock = lock;
    if (joins) {
        u64 handle, other;
        copy_bytes(&handle, thread + f->regs_at + 8 * (word_at(thread, f->rb_at) + joins), 8);
        other = slot_of_handle(f, now->block, handle);
        if (other >= MOST_THREADS || other == slot || !(exists >> other & 1)) return;
        st->next.reads &= ~ENDS;
        st->joins = now->live & 1ULL << other;
    }
    if (st->joins || st->lock) now->waiting |= 1ULL << slot;
}

/* What the threads of the set do next, as far as they may move or be let go on. */
static Bits needs(const Situation *now, u64 set, u32 kept) {
    Bits need = { 0, 0, 0 };
    for (u64 rest = set; rest; rest &= rest - 1) {
        const Stand *st = &now->stand[__builtin_ctzll(rest)];
        if (!st->lock) { need.reads |= st->next.reads; need.writes |= st->next.writes; }
        else if (!(kept >> (st->lock - 1) & 1)) need.releases |= 1ULL << (st->lock - 1);
    }
    return need;
}

static int interferes(const Facts *f, const Situation *now, const u8 *thread, u32 pc, u32 slot, u64 set, u32 kept,
                      Bits need) {
    const Stand *st = &now->stand[slot];
    if (st->joins & set) return 0;
    Bits ahead = st->ahead;
    for (u32 rest = kept; rest; rest &= rest - 1)
        ahead = and_bits(ahead, ahead_of(f, thread, pc, 1 + (u32)__builtin_ctz(rest)));
    if ((ahead.writes & (need.reads | need.writes)) || (ahead.reads & need.writes)) return 1;
    for (u64 rest = ahead.releases & need.releases; rest; rest &= rest - 1) {
        u32 lock = (u32)__builtin_ctzll(rest);
        if (now->holder[lock] == slot || (ahead_of(f, thread, pc, 1 + lock).releases >> lock & 1)) return 1;
    }
    return 0;
}
