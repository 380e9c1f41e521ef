/* Objects found by address, reads, writes, arbitrary bytes. The same answers as `semantics.memory`. */

enum { AREA_GLOBALS, AREA_NONE, AREA_HEAP, AREA_TLS, AREA_STACK };

typedef struct { int kind; u32 count; Thread *owner; u64 base; } Area;
typedef struct { u64 start, size; u8 *data, *mask; i32 name; u32 flags; } Ref;

static Area area_of(State *S, u64 a) {
    Area A = { AREA_GLOBALS, GLOBAL_COUNT, 0, 0 };
    if (a < MAIN_ARENA) return A;
    u64 number = a < ARENAS ? 0 : (a - ARENAS) / ARENA_SIZE + 1;
    u64 base = arena_of(number), bytes = number ? ARENA_STACK : MAIN_STACK;
    u32 slot = slot_of_number(S, number);
    A.kind = AREA_NONE; A.count = 0;
    if (slot == SLOTS || S->t[slot].phase == PHASE_NONE) return A;
    A.owner = &S->t[slot];
    if (a >= base + bytes - RED_ZONE) { A.kind = AREA_HEAP; A.count = A.owner->nheap; }
    else if (a < base + TLS_SIZE) {
        A.kind = AREA_TLS; A.base = base;
        A.count = A.owner->phase == PHASE_FINISHED ? 0 : TLS_COUNT;
    }
    else { A.kind = AREA_STACK; A.count = A.owner->nstack; }
    return A;
}

static u64 start_in(const Area *A, u32 i) {
    switch (A->kind) {
    case AREA_GLOBALS: return GLOBALS[i].start;
    case AREA_TLS: return TLS_OBJECTS[i].start + A->base;
    case AREA_HEAP: return A->owner->heap[i].start;
    default: return A->owner->stack[i].start;
    }
}

/* How many objects of the area start at or before `a`. */
static u32 rank_in(const Area *A, u64 a) {
    u32 low = 0, high = A->count;
    while (low < high) {
        u32 middle = (low + high) / 2;
        if (start_in(A, middle) <= a) low = middle + 1; else high = middle;
    }
    return low;
}

static Ref ref_in(State *S, const Area *A, u32 i) {
    Ref r = { 0, 0, 0, 0, 0, 0 };
    if (A->kind == AREA_GLOBALS) {
        const Global *g = &GLOBALS[i];
        r.start = g->start; r.size = g->size; r.name = g->name; r.flags = g->flags;
        if (g->flags & CONSTANT) r.data = (u8 *)CONSTANT_BYTES + g->off;
        else {
            r.data = S->g + g->off;
#if MASKED_GLOBALS
            r.mask = S->gmask + g->off;
#endif
        }
    } else if (A->kind == AREA_TLS) {
        const Global *g = &TLS_OBJECTS[i];
        r.start = g->start + A->base; r.size = g->size; r.name = g->name; r.flags = g->flags;
        r.data = A->owner->tls + g->off;
#if MASKED_GLOBALS
        r.mask = A->owner->tls_mask + g->off;
#endif
    } else {
        int heap = A->kind == AREA_HEAP;
        Obj *o = heap ? &A->owner->heap[i] : &A->owner->stack[i];
        r.start = o->start; r.size = o->size; r.name = o->name; r.flags = o->flags;
        r.data = (heap ? A->owner->hdata : A->owner->sdata) + o->off;
        r.mask = (heap ? A->owner->hmask : A->owner->smask) + o->off;
    }
    return r;
}

/* The object `a` belongs to: inside it or within half a red zone around it. */
static int zone_of(State *S, u64 a, Ref *r) {
    Area A = area_of(S, a);
    u32 rank = rank_in(&A, a), last = rank + 1 < A.count ? rank + 1 : A.count;
    for (u32 i = rank ? rank - 1 : 0; i < last; i++) {
        *r = ref_in(S, &A, i);
        if (r->start - HALF_ZONE <= a && a < r->start + r->size + HALF_ZONE) return 1;
    }
    return 0;
}

static int in_a_stack(u64 a) {
    if (a < ARENAS) return MAIN_ARENA <= a && a < MAIN_ARENA + MAIN_STACK;
    return (a - ARENAS) % ARENA_SIZE < ARENA_STACK && (a - ARENAS) / ARENA_SIZE < ARENA_COUNT;
}

static int dead(Ctx *C, const Ref *r) { return trap_at(C, r->flags & FREED ? UB_FREED : UB_DEAD, r->name); }

static int bad_address(State *S, Thread *T, Ctx *C, u64 a) {
    Ref r;
    if (a < CODE) return trap_at(C, UB_NULL, NO_NAME);
    if (zone_of(S, a, &r)) {
        if (r.name >= 0 && r.name < NAME_COUNT && ELSEWHERE[r.name]) return unsupported(C, TEXT_ELSEWHERE, r.name);
        return r.flags & NOT_ALIVE ? dead(C, &r) : trap_at(C, UB_BOUNDS, r.name);
    }
    if (in_a_stack(a)) return trap_at(C, UB_DEAD, NO_NAME);
    C->kind = UB_WILD; C->name = NAME_IS_NUMBER; C->number = a;
    return TRAP;
}

/* The live object that holds `a`, or a trap. */
SLOW int find(State *S, Thread *T, Ctx *C, u64 a, Ref *r) {
    Area A = area_of(S, a);
    u32 rank = rank_in(&A, a);
    if (rank) {
        *r = ref_in(S, &A, rank - 1);
        if (a - r->start < r->size) return r->flags & NOT_ALIVE ? dead(C, r) : 0;
    }
    return bad_address(S, T, C, a);
}

SLOW int pointer_add(State *S, Ctx *C, u64 base, i64 offset, u64 *out) {
    Ref r;
    if (!offset) { *out = base; return 0; }
    i128 a = (i128)base + offset;
    if (!zone_of(S, base, &r)) {
        if (base < CODE && a >= CODE) return not_native(C, TEXT_FAR);
        *out = (u64)a & ADDRESS_MASK;
        return 0;
    }
    if (a < (i128)r.start - HALF_ZONE || a >= (i128)r.start + (i128)r.size + HALF_ZONE) return not_native(C, TEXT_FAR);
    *out = (u64)a;
    return 0;
}

/* --- choices ------------------------------------------------------------------------------------------------------ */

static u64 any_between(Ctx *C, u64 low, u64 span) {
    u64 x = draw(&C->rng);
    return span ? low + (u64)(((u128)x * span) >> 64) : x;
}

/* For testing, wide choices are telling: numbers the program mentions and their neighbours, bounds, small numbers. */
static u64 drawn(Ctx *C, u64 low, u64 high, int is_signed) {
    u64 span = high - low + 1;                    /* 0: all 2^64 values */
    if (C->telling && C->case_count) return (u64)C->cases[below(&C->rng, (u32)C->case_count)];
    if (C->telling && (!span || span > 256)) {
        u64 r = draw(&C->rng), v = (r >> 32) & 15; /* a quarter: small numbers, or those just above `low` */
        u32 pick = r & 31;
        if (pick >= 24) return any_between(C, low, span);
        if (pick >= 16 && !is_signed) v += low;
        if (pick < 16) v = (u64)TELLING[((r >> 32) * TELLING_COUNT) >> 32] + ((r >> 5) % 3) - 1;
        if (pick == 0) v = low;
        if (pick == 1) v = high;
        if (is_signed ? (i64)low <= (i64)v && (i64)v <= (i64)high : low <= v && v <= high) return v;
    }
    return any_between(C, low, span);
}

/* A value between `low` and `high`, as an unsigned number of `bits` bits. */
SLOW int choose(Thread *T, Ctx *C, int source, int name, u64 low, u64 high, int is_signed, int bits, u64 *out) {
    u64 mask = bits >= 64 ? ~0ULL : (1ULL << bits) - 1, v;
    if (low == high) { *out = low & mask; return 0; }
    if (!C->first && !T->depth) return STOP_HERE;
    if (C->random) {
#if ENV_CHOOSES
        if (!env_chosen(&C->rng, source, &v))
#endif
        v = drawn(C, low, high, is_signed);
        if (C->record) {
            if (C->chosen >= C->record_room) return no_room(C, ROOM_RECORD);
            C->record[2 * C->chosen] = (i64)v;
            C->record[2 * C->chosen + 1] = is_signed;
        }
    } else {
        C->low = low; C->high = high; C->is_signed = is_signed; C->bits = bits;
        C->source = source; C->source_name = name;
        if (C->chosen == C->given) return NEED;
        v = (u64)C->choices[C->chosen];
        int inside = is_signed ? (i64)low <= (i64)v && (i64)v <= (i64)high : low <= v && v <= high;
        if (!inside) return unsupported(C, TEXT_SCHEDULE, NO_NAME);
    }
    C->chosen++;
    *out = v & mask;
    return 0;
}

/* As `choose`; when values are drawn to be telling, it is one of `cases`. */
SLOW int choose_case(Thread *T, Ctx *C, int source, int name, u64 low, u64 high, int is_signed, int bits, u64 *out,
                     const i64 *cases, i32 count) {
    C->cases = cases;
    C->case_count = count;
    int e = choose(T, C, source, name, low, high, is_signed, bits, out);
    C->case_count = 0;
    return e;
}

/* --- reading and writing ------------------------------------------------------------------------------------------ */

static inline u64 get_bytes(const u8 *p, u32 size) {
    u64 v = 0;
    if (size == 4) return get32(p);
    if (size == 8) return get64(p);
    for (u32 i = 0; i < size; i++) v |= (u64)p[i] << (8 * i);
    return v;
}

static inline void put_bytes(u8 *p, u32 size, u64 v) {
    if (size == 4) { put32(p, v); return; }
    if (size == 8) { put64(p, v); return; }
    for (u32 i = 0; i < size; i++) p[i] = (u8)(v >> (8 * i));
}

/* Arbitrary bytes are chosen now and stay as chosen. */
SLOW int settle(Thread *T, Ctx *C, u8 *data, u8 *mask, u32 size, int name) {
    u32 unknown = 0;
    u64 chosen;
    for (u32 i = 0; i < size; i++) {
        if (mask[i] == COPIED) return unsupported(C, TEXT_COPIED, name);
        unknown += mask[i] != 0;
    }
    int bits = (int)(8 * unknown);
    int e = choose(T, C, SOURCE_UNINITIALISED, name, 0, bits >= 64 ? ~0ULL : (1ULL << bits) - 1, 0, bits, &chosen);
    if (e) return e;
    for (u32 i = 0; i < size; i++)
        if (mask[i]) { data[i] = (u8)chosen; chosen >>= 8; mask[i] = KNOWN; }
    return 0;
}

static int reach(State *S, Thread *T, Ctx *C, u64 a, u32 size, Ref *r) {
    int e = find(S, T, C, a, r);
    if (e) return e;
    if (!(r->flags & UNSHARED) && !C->open) return STOP;
    if (a - r->start + size > r->size) return trap_at(C, UB_BOUNDS, r->name);
    r->data += a - r->start;
    if (r->mask) r->mask += a - r->start;
    if (!(r->flags & (UNSHARED | CONSTANT))) TOUCH_DATA(a, size);
    return 0;
}

SLOW int load(State *S, Thread *T, Ctx *C, u64 a, u32 size, u64 *out) {
    Ref r;
    int e = reach(S, T, C, a, size, &r);
    if (e) return e;
    if (r.mask && get_bytes(r.mask, size)) {
        if (!(r.flags & UNSHARED)) touch(C, a, size, WRITE);
        e = settle(T, C, r.data, r.mask, size, r.name);
        if (e) return e;
    }
    *out = get_bytes(r.data, size);
    return 0;
}

SLOW int store(State *S, Thread *T, Ctx *C, u64 a, u32 size, u64 v) {
    Ref r;
    int e = find(S, T, C, a, &r);
    if (e) return e;
    if (r.flags & CONSTANT) return trap_at(C, UB_CONSTANT, r.name);
    e = reach(S, T, C, a, size, &r);
    if (e) return e;
    put_bytes(r.data, size, v);
    if (r.mask) put_bytes(r.mask, size, 0);
    return 0;
}

#if GPU
/* What operations ask for, by all lanes that ask for the like together. */
INLINE int served(State *S, Thread *T, Ctx *C, Asked *asked) {
    u64 value = asked->value;
    int e;
    switch (asked->kind) {
    case ASK_LOAD: e = load(S, T, C, asked->a, asked->size, &value); break;
    case ASK_STORE: e = store(S, T, C, asked->a, asked->size, value); break;
    default: e = pointer_add(S, C, asked->a, (i64)asked->value, &value);
    }
    asked->value = value;
    return e;
}
#endif

/* For values that are not read again where they were: arbitrary bytes travel with their mask. */
SLOW int move_raw(State *S, Thread *T, Ctx *C, u64 a, u32 size, u64 *out, u64 *mask) {
    Ref r;
    int e = reach(S, T, C, a, size, &r);
    if (e) return e;
    *out = get_bytes(r.data, size);
    *mask = r.mask ? get_bytes(r.mask, size) : 0;
    return 0;
}

/* For values that are only copied: neither the bytes nor the copy can be chosen alone from now on. */
SLOW int load_raw(State *S, Thread *T, Ctx *C, u64 a, u32 size, u64 *out, u64 *mask) {
    Ref r;
    int e = reach(S, T, C, a, size, &r);
    if (e) return e;
    *out = get_bytes(r.data, size);
    *mask = 0;
    if (!r.mask || !get_bytes(r.mask, size)) return 0;
    if (!(r.flags & UNSHARED)) touch(C, a, size, WRITE);
    for (u32 i = 0; i < size; i++)
        if (r.mask[i]) r.mask[i] = COPIED;
    *mask = get_bytes(r.mask, size);
    return 0;
}

SLOW int store_raw(State *S, Thread *T, Ctx *C, u64 a, u32 size, u64 v, u64 mask) {
    Ref r;
    int e = store(S, T, C, a, size, v);
    if (e || !mask) return e;
    e = reach(S, T, C, a, size, &r);
    if (e) return e;
    if (!r.mask) return not_native(C, TEXT_COPY);
    put_bytes(r.mask, size, mask);
    return 0;
}

/* A word of a synchronisation object: never-initialised bytes count as zero. */
SLOW int peek(State *S, Thread *T, Ctx *C, u64 a, u32 size, u64 *out) {
    Ref r;
    int e = find(S, T, C, a, &r);
    if (e) return e;
    if (a - r.start + size > r.size) return trap_at(C, UB_BOUNDS, r.name);
    *out = get_bytes(r.data + (a - r.start), size);
    return 0;
}

SLOW int poke(State *S, Thread *T, Ctx *C, u64 a, u32 size, u64 v) {
    Ref r;
    int e = find(S, T, C, a, &r);
    if (e) return e;
    if (r.flags & CONSTANT) return trap_at(C, UB_CONSTANT, r.name);
    if (a - r.start + size > r.size) return trap_at(C, UB_BOUNDS, r.name);
    put_bytes(r.data + (a - r.start), size, v);
    if (r.mask) put_bytes(r.mask + (a - r.start), size, 0);
    return 0;
}

/* What a library function stores through a pointer it was given is an access like any other. */
SLOW int poke_result(State *S, Thread *T, Ctx *C, u64 a, u32 size, u64 v) {
    int e = poke(S, T, C, a, size, v);
#if FOOTPRINTS
    Ref r;
    if (!e && !find(S, T, C, a, &r) && !(r.flags & UNSHARED)) { TOUCH_AS(WRITE); TOUCH_DATA(a, size); }
#endif
    return e;
}
