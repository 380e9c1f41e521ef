/* A state as one number of 64 bits: equal states have equal numbers, different ones hardly ever. It is the same on a
 * machine with more room, since words count with their places in the program and zero, which is what is not in use,
 * counts nothing. */

enum { IN_STATE, IN_GLOBALS, IN_GLOBAL_MASKS, IN_KEYS, IN_THREAD };
enum { OF_HEAD, OF_SPECIFICS, OF_REGS, OF_STACK_DATA, OF_STACK_MASKS, OF_TLS, OF_TLS_MASKS, OF_HEAP_DATA, OF_HEAP_MASKS,
       OF_FRAMES, OF_STACK, OF_HEAP, THREAD_PARTS };

static u64 print_words(const void *words, u64 bytes, u64 place) {
    const u64 *w = words;
    u64 sum = 0;
    place <<= 32;
    for (u64 i = 0; i < bytes / 8; i++)
        if (w[i]) sum += mix64(w[i] * 0xd1342543de82ef95ULL + (place + i) * 0x9e3779b97f4a7c15ULL);
    return sum;
}

static u64 print_thread(Thread *T, u64 slot) {
    u64 at = IN_THREAD + slot * THREAD_PARTS;
    if (T->phase == PHASE_NONE) return 0;
    return print_words(T, (u64)&((Thread *)0)->specifics, at + OF_HEAD)
         + print_words(T->specifics, sizeof T->specifics, at + OF_SPECIFICS)
         + print_words(T->regs, 8 * (u64)(T->rb + FN_SLOTS[T->fn]), at + OF_REGS)
         + print_words(T->sdata, T->sbytes, at + OF_STACK_DATA)
         + print_words(T->smask, T->sbytes, at + OF_STACK_MASKS)
         + print_words(T->tls, TLS_BYTES, at + OF_TLS)
#if MASKED_GLOBALS
         + print_words(T->tls_mask, TLS_BYTES, at + OF_TLS_MASKS)
#endif
         + print_words(T->hdata, T->hbytes, at + OF_HEAP_DATA)
         + print_words(T->hmask, T->hbytes, at + OF_HEAP_MASKS)
         + print_words(T->frames, T->nframes * sizeof(Frame), at + OF_FRAMES)
         + print_words(T->stack, T->nstack * sizeof(Obj), at + OF_STACK)
         + print_words(T->heap, T->nheap * sizeof(Obj), at + OF_HEAP);
}

static u64 print_state(State *S) {
    u64 sum = print_words(S, (u64)&((State *)0)->keys, IN_STATE) + print_words(S->g, GLOBAL_BYTES, IN_GLOBALS)
#if MASKED_GLOBALS
            + print_words(S->gmask, GLOBAL_BYTES, IN_GLOBAL_MASKS)
#endif
            + print_words(S->keys, S->nkeys * sizeof(u64), IN_KEYS);
    for (u32 i = 0; i < SLOTS; i++) sum += print_thread(&S->t[i], i);
    return sum;
}
