/* Threads that exist and never run, as a search sees them from outside: `dormant` of a machine's variant. */

enum { CREATES = 1, DETACHES, ENDLESS };            /* `machine_text.new_thread`; ENDLESS is found out */
enum { DORMANT_NEW = 1 };                           /* of state.h */

typedef struct {
    u8 *does_at;                                    /* by program counter: what it does to a new thread, 0: nothing */
    u32 awake;                                      /* of each creation so many run; 0: all */
    u32 site_at, newest_at, dormant_at;             /* where in a thread's block stand its creation and what it created
                                                       last, and in a state how many never run */
} Crowd;

/* Whether the thread in `slot`, of those that lie at `threads`, is about to create another that never runs, or to
 * detach it: nobody notices, except by the handle. */
static int creates_dormant(const Crowd *c, const u8 *threads, u32 count, u64 size, u32 slot, u32 pc) {
    u32 run = 0, room = 0;
    if (!c->awake || !c->does_at[pc]) return 0;
    if (c->does_at[pc] == DETACHES) return word_at(threads, slot * size + c->newest_at) == DORMANT_NEW;
    for (u32 t = 0; t < count; t++) {
        const u8 *thread = threads + t * size;
        room |= *thread == PHASE_NONE;
        run += word_at(thread, c->site_at) == pc + 1;
    }
    return !room || run >= c->awake;
}

static int has_dormant(const Crowd *c, const u8 *state) { return c->awake && word_at(state, c->dormant_at); }
