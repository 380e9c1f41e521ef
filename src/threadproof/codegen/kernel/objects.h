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

static int alloc_stack(State *S, Thread *T, Ctx *C, u64 size, int name, u32 align, u32 flags, u64 *out) {
    u64 start, after, number = number_of_slot(slot_of(S, T));
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

static void pop_stack(Thread *T, u32 mark, u64 cursor) {
    if (mark < T->nstack) {
        u32 from = T->stack[mark].off;
        fill_bytes(T->sdata + from, 0, T->sbytes - from);
        fill_bytes(T->smask + from, 0, T->sbytes - from);
        fill_bytes(T->stack + mark, 0, (T->nstack - mark) * sizeof(Obj));
        T->sbytes = from;
        T->nstack = mark;
    }
    T->cursor = cursor;
}

/* Kill the stack objects above `mark`; STOP if another thread could notice and it must wait. */
static int drop_stack(Thread *T, Ctx *C, u32 mark, u64 cursor) {
    if (!C->open)
        for (u32 i = mark; i < T->nstack; i++)
            if (!(T->stack[i].flags & UNSHARED)) return STOP;
    pop_stack(T, mark, cursor);
    return 0;
}

static int stack_restore(Thread *T, Ctx *C, u64 cursor) {
    u32 mark = 0;
    while (mark < T->nstack && T->stack[mark].start < cursor) mark++;
    return drop_stack(T, C, mark, cursor);
}

static void begin_life(Thread *owner, Obj *o, int name, u32 flags) {
    o->name = name; o->flags = flags;
    fill_bytes(owner->hdata + o->off, 0, o->size);
    fill_bytes(owner->hmask + o->off, flags & ZEROED ? KNOWN : ARBITRARY, o->size);
}

/* A fresh block, or any block of this size that was freed before. */
static int alloc_heap(State *S, Thread *T, Ctx *C, u64 size, int name, u32 flags, u64 *out) {
    u64 start, after, pick = 0, freed = 0, number = number_of_slot(slot_of(S, T));
    for (u32 t = 0; t < SLOTS; t++)
        for (u32 i = 0; i < S->t[t].nheap; i++)
            freed += (S->t[t].heap[i].flags & FREED) && S->t[t].heap[i].size == size;
    if (freed) {
        int e = choose(T, C, SOURCE_MALLOC, NO_NAME, 0, freed, 0, 32, &pick);
        if (e) return e;
    }
    if (pick) {
        for (u32 t = 0; t < SLOTS; t++)
            for (u32 i = 0; i < S->t[t].nheap; i++) {
                Obj *o = &S->t[t].heap[i];
                if (!((o->flags & FREED) && o->size == size) || --pick) continue;
                begin_life(&S->t[t], o, name, flags);
                if (&S->t[t] == T) C->heap_changed = 1;
                *out = o->start;
                return 0;
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
    C->heap_changed = 1;
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

static int free_heap(State *S, Thread *T, Ctx *C, u64 a) {
    Thread *owner;
    Obj *o;
    int e = heap_block(S, C, a, &owner, &o);
    if (e) return e;
    o->flags |= FREED;
    fill_bytes(owner->hdata + o->off, 0, o->size);
    fill_bytes(owner->hmask + o->off, 0, o->size);
    if (owner == T) C->heap_changed = 1;
    return 0;
}

static int block_size(State *S, Ctx *C, u64 a, u64 *out) {
    Thread *owner;
    Obj *o;
    int e = heap_block(S, C, a, &owner, &o);
    if (e) return e;
    *out = o->size;
    return 0;
}
