/* Sleep sets: a step is not made again where only steps were made meanwhile that commute with it.
 *
 * Paper: P. Godefroid, LNCS 1032, 1996, chapter 5: sleep sets with state matching (figure 5.2).
 * Differs: sets of threads, a thread sleeping with all its choices; steps commute if the bits of `analysis.footprints.futures` do
 * not meet. Together with persistent sets and their proviso: a set counts only if a member that is awake moved.
 * Invariants: with Z asleep in a state, every violation is found from there to which some way leads that cannot begin
 * with a thread of Z. Reached again with fewer asleep, the others are due: they are moved, whatever set was chosen.
 * Races are seen in the footprints of all that could move, so nobody sleeps when they are looked for. */

#define MOST_ASLEEP 31
#define EXPANDED (1u << 31)         /* among those that are due */

/* A state was reached again with these threads asleep. Those that slept in vain are due. */
static int awaken(Inside *in, u64 number, u32 asleep, u64 level, u16 last) {
    Note *note = note_of(&in->table, number);
    u32 due = note->asleep & ~asleep, before = note->due;
    note->asleep &= asleep;
    if (!due || !(before & EXPANDED)) return 1;
    note->due |= due;
    Waiting w = { (u32)number, last, 0 };
    return before != EXPANDED || put(in, level, w);
}

/* Who sleeps after this thread's step: those that slept, and those tried before it, if they can do what they would
 * have done. */
static u32 asleep_after(Search *s, u32 slot) {
    Inside *in = s->in;
    u32 set = in->asleep, after = 0;
    for (u64 i = 0; i < in->edges_used && in->edges[i].slot != slot; i++) set |= 1u << in->edges[i].slot;
    if (!set) return 0;
    look_around(s);
    for (set &= (u32)in->now.live; set; set &= set - 1)
        if (commute(&in->now, (u32)__builtin_ctz(set), slot)) after |= set & -set;
    return after;
}

/* Who sleeps is not tried. Coming back to a state, only those are that slept in vain. */
static void lay_to_rest(Search *s, const Note *note) {
    Inside *in = s->in;
    u32 skipped = note->due & EXPANDED ? ~note->due : note->asleep;
    in->asleep = note->asleep;
    for (u32 t = 0; skipped && t < s->threads; t++) in->tried[t] = (u8)(skipped >> t & 1);
}
