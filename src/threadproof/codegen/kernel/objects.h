/* Objects come and go: stack, heap. The same answers as `semantics.run`. */

static inline u32 padded(u64 size) { return (u32)((size + 7) & ~7ULL); }

static int place_after(Ctx *C, u64 cursor, u64 size, u64 align, u64 end, u64 *start, u64 *after) {
    if (align < 1) align = 1;
    *start = (cursor + align - 1) / align * align;
    u128 behind = (u128)*start + (size ? size : 1) + RED_ZONE;
    if (behind > end) return no_address(C, TEXT_LARGE);
    *after = (u64)behind;
    return 0;
}

SLOW int alloc_stack(State *S, Thread *T, Ctx *C, u64 size, int name, u32 align, u32 flags, u64 *out) {
    u64 start, after, number = number_of(S, T);
    int e = place_after(C, T->cursor, size, align, heap_start(number), &start, &after);
    if (e) return e;
    if (T->nstack == STACK_OBJECTS) return no_room(C, ROOM_STACK_OBJECTS);
    if (size > STACK_BYTES || T->sbytes + padded(size) > STACK_BYTES) return no_room(C, ROOM_STACK_BYTES);
    Obj o = { start, (u32)size, T->sbytes, name, flags };
    T->stack[T->nstack++] = o;
    fill_bytes(T->smask + T->sbytes, ARBITRARY, size);
    T->sbytes += padded(size);
    T->cursor = after;
    *out = start;
    return 0;
}

/* --- the end of locals: the address of one that something still points to is not used again ----------------------- */

static int within(u64 v, const Obj *o) { return o->start <= v && v <= o->start + o->size; }

/* A register of more bits than a pointer has may hold one anywhere, also one that begins with zeros. */
static int value_within(u64 v, const Obj *o) {
    if (POINTER_BITS == 64 || !(v >> 32)) return within(v, o);
    for (; v; v >>= 8)
        if (within((u32)v, o)) return 1;
    return 0;
}

static int any_within(const u64 *values, u64 count, const Obj *o) {
    for (u64 i = 0; i < count; i++)
        if (value_within(values[i], o)) return 1;
    return 0;
}

/* Whether some word of these bytes, at any offset, is an address of the object. */
static int mentions(const u8 *data, u64 size, const Obj *o) {
    u64 low = o->start >> 16, high = (o->start + o->size) >> 16;
    for (u64 i = 0; i + POINTER_BITS / 8 <= size; i++) {
        u64 v = 0;
        copy_bytes(&v, data + i, POINTER_BITS / 8);
        if (within(v, o) && ((v >> 16) == low || (v >> 16) == high)) return 1;
    }
    return 0;
}

static int memory_mentions(State *S, const Obj *o) {
    for (u32 i = 0; i < GLOBAL_COUNT; i++)
        if (!(GLOBALS[i].flags & CONSTANT) && mentions(S->g + GLOBALS[i].off, GLOBALS[i].size, o)) return 1;
    for (u32 t = 0; t < SLOTS; t++) {
        Thread *T = &S->t[t];
        if (T->phase == PHASE_NONE) continue;
        for (u32 i = 0; i < TLS_COUNT; i++)
            if (mentions(T->tls + TLS_OBJECTS[i].off, TLS_OBJECTS[i].size, o)) return 1;
        for (u32 i = 0; i < T->nstack; i++)
            if (!(T->stack[i].flags & DEAD) && mentions(T->sdata + T->stack[i].off, T->stack[i].size, o)) return 1;
        for (u32 i = 0; i < T->nheap; i++)
            if (!(T->heap[i].flags & FREED) && mentions(T->hdata + T->heap[i].off, T->heap[i].size, o)) return 1;
    }
    return 0;
}

/* What outlives the objects that die: values of the running call, and the registers of the calls below it. */
typedef struct { const u64 *values; u32 count, below; } Kept;

/* Of an object whose address never leaves its call nothing else can know. */
static int is_pointed_to(State *S, Thread *T, const Obj *o, Kept kept) {
    if (any_within(kept.values, kept.count, o)) return 1;
    if (o->flags & UNSHARED) return 0;
    if (o->flags & HELD) return 1;
    if (value_within(T->result, o) || any_within(T->specifics, KEYS, o)) return 1;
    for (u32 t = 0; t < SLOTS; t++) {
        Thread *other = &S->t[t];
        if (other == T || other->phase == PHASE_NONE) continue;
        if (value_within(other->result, o) || any_within(other->specifics, KEYS, o)) return 1;
        if (other->phase != PHASE_FINISHED && any_within(other->regs, other->rb + FN_SLOTS[other->fn], o)) return 1;
    }
    return any_within(T->regs, kept.below, o) || memory_mentions(S, o);
}

/* Kill the stack objects above `mark`; STOP if another thread could notice and it must wait. */
SLOW int drop_stack(State *S, Thread *T, Ctx *C, u32 mark, u64 cursor, Kept kept) {
    u32 count = T->nstack, left = mark;
    int shared = 0;
    for (u32 i = mark; i < count; i++) shared |= !(T->stack[i].flags & UNSHARED);
    if (shared && !C->open) return STOP;
    for (u32 i = mark; shared && i < count; i++)
        if (!(T->stack[i].flags & UNSHARED)) touch(C, T->stack[i].start, T->stack[i].size, WRITE);
    if (mark < count) {
        u32 from = T->stack[mark].off;
        fill_bytes(T->sdata + from, 0, T->sbytes - from);
        fill_bytes(T->smask + from, 0, T->sbytes - from);
        T->sbytes = from;
        T->nstack = mark;
        for (u32 i = mark; i < count; i++) {
            Obj o = T->stack[i];
            if (!is_pointed_to(S, T, &o, kept)) continue;
            u64 behind = o.start + (o.size ? o.size : 1) + RED_ZONE;
            o.flags |= DEAD;
            o.off = from;
            T->stack[left++] = o;
            cursor = cursor > behind ? cursor : behind;
        }
        T->nstack = left;
        fill_bytes(T->stack + left, 0, (count - left) * sizeof(Obj));
    }
    T->cursor = cursor;
    return 0;
}

SLOW int stack_restore(State *S, Thread *T, Ctx *C, u64 cursor, const u64 *live, u32 count) {
    u32 mark = 0;
    while (mark < T->nstack && T->stack[mark].start < cursor) mark++;
    return drop_stack(S, T, C, mark, cursor, (Kept){live, count, T->rb});
}

static void begin_life(Thread *owner, Obj *o, int name, u32 flags) {
    o->name = name; o->flags = flags;
    fill_bytes(owner->hdata + o->off, 0, o->size);
    fill_bytes(owner->hmask + o->off, flags & ZEROED ? KNOWN : ARBITRARY, o->size);
}

/* A fresh block, or any block of this size that was freed before. */
SLOW int alloc_heap(State *S, Thread *T, Ctx *C, u64 size, int name, u32 flags, u64 *out) {
    u64 start, after, pick = 0, freed = 0, number = number_of(S, T);
    for (u32 t = 0; t < SLOTS; t++)
        for (u32 i = 0; i < S->t[t].nheap; i++)
            freed += (S->t[t].heap[i].flags & FREED) && S->t[t].heap[i].size == size;
    if (freed) {
        int e = choose(T, C, SOURCE_MALLOC, NO_NAME, 0, freed, 0, 32, &pick);
        if (e) return e;
    }
    touch(C, HEAP_PLACE(size), 1, freed ? WRITE : READ);
    if (pick) {
        for (u32 n = 0; n < SLOTS; n++) {
            u32 t = slot_in_order(S, n);
            for (u32 i = 0; i < S->t[t].nheap; i++) {
                Obj *o = &S->t[t].heap[i];
                if (!((o->flags & FREED) && o->size == size) || --pick) continue;
                begin_life(&S->t[t], o, name, flags);
                *out = o->start;
                return 0;
            }
        }
    }
    int e = place_after(C, T->heap_cursor, size, 16, heap_end(number), &start, &after);
    if (e) return e;
    if (T->nheap == HEAP_OBJECTS) return no_room(C, ROOM_HEAP_OBJECTS);
    if (size > HEAP_BYTES || T->hbytes + padded(size) > HEAP_BYTES) return no_room(C, ROOM_HEAP_BYTES);
    Obj o = { start, (u32)size, T->hbytes, name, flags };
    T->heap[T->nheap] = o;
    begin_life(T, &T->heap[T->nheap++], name, flags);
    T->hbytes += padded(size);
    T->heap_cursor = after;
    *out = start;
    return 0;
}

static int heap_block(State *S, Ctx *C, u64 a, Thread **owner, Obj **block) {
    Area A = area_of(S, a);
    u32 rank = A.kind == AREA_HEAP ? rank_in(&A, a) : 0;
    if (!rank || A.owner->heap[rank - 1].start != a) return trap_at(C, UB_INVALID_FREE, NO_NAME);
    *owner = A.owner;
    *block = &A.owner->heap[rank - 1];
    return (*block)->flags & FREED ? trap_at(C, UB_DOUBLE_FREE, (*block)->name) : 0;
}

SLOW int free_heap(State *S, Thread *T, Ctx *C, u64 a) {
    Thread *owner;
    Obj *o = 0;
    int e = heap_block(S, C, a, &owner, &o);
    /* Nobody may access it meanwhile; nor free it, so a second free touches it, too. */
    if (o) touch(C, o->start, o->size ? o->size : 1, WRITE | DATA | (T->depth ? ATOMIC : 0));
    if (e) return e;
    touch(C, HEAP_PLACE(o->size), 1, WRITE);
    o->flags |= FREED;
    fill_bytes(owner->hdata + o->off, 0, o->size);
    fill_bytes(owner->hmask + o->off, 0, o->size);
    return 0;
}

SLOW int block_size(State *S, Ctx *C, u64 a, u64 *out) {
    Thread *owner;
    Obj *o;
    int e = heap_block(S, C, a, &owner, &o);
    if (e) return e;
    *out = o->size;
    return 0;
}
