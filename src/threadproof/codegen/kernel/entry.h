/* What the Python side calls for single steps. */

/* A word of memory; 0 if there is none at the address. */
EXPORT int tp_word(State *S, u64 a, u64 *out) {
    Ctx C;
    fill_bytes(&C, 0, sizeof C);
    return !peek(S, S->t, &C, a, 4, out);
}

EXPORT u64 tp_state_size(void) { return sizeof(State); }

EXPORT void tp_initial(State *S) {
    fill_bytes(S, 0, sizeof(State));
    copy_bytes(S->g, GLOBAL_IMAGE, GLOBAL_BYTES);
#if ENVIRONMENT
    S->env = FIRST_ENV;
#endif
    start_thread(S, 0, 0, ENTRY_FN, 0);
}

/* `S` is changed; `watched` has room for one more state. */
EXPORT int tp_step(State *S, State *watched, u32 slot, const i64 *choices, i32 given, Detail *d) {
    Ctx C;
    fill_bytes(&C, 0, sizeof C);
    C.choices = choices;
    C.given = given;
    C.watched = watched;
#if FOOTPRINTS
    C.touches = d->touches;
    C.touch_room = d->touch_room;
#endif
    prepare(&C);
    Thread *T = &S->t[slot];
    int outcome;
    if (!may_step(S, T)) { C.kind = T->phase == PHASE_FINISHED ? OP_FINISHED : OP_ATOMIC; outcome = O_BLOCKED; }
    else outcome = step_in_place(S, T, &C);
    d->kind = C.kind; d->name = C.name; d->text = C.text; d->resource = C.resource;
    d->number = C.number; d->low = C.low; d->high = C.high;
    d->is_signed = C.is_signed; d->bits = C.bits; d->source = C.source; d->source_name = C.source_name;
    d->pc = T->pc; d->chosen = (u32)C.chosen;
#if FOOTPRINTS
    d->touched = C.touched;
#endif
    return outcome;
}
