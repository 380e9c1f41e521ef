/* A state block cut up into parts and pieces, and the table for blocks of this form opened and closed. */

/* Enter an area into the spans and pieces; where there is no room for them they are counted only. */
static void cut_up(Table *t, Area a) {
    u32 first = t->pieces;
    for (u32 from = 0; from < a.size; from += PIECE) {
        Piece p = { a.at + from, a.size - from < PIECE ? a.size - from : PIECE };
        if (t->piece) t->piece[t->pieces] = p;
        t->pieces++;
    }
    Span s = { first, t->pieces, a.count_at, a.unit };
    if (t->span) t->span[t->spans] = s;
    t->spans++;
}

static void cut_part(Table *t, const Area *areas, u32 count, u32 at) {
    Part p = { t->spans, 0, t->pieces, 0, at };
    for (u32 i = 0; i < count; i++) {
        Area a = { areas[i].at + at, areas[i].size, areas[i].count_at + at, areas[i].unit };
        cut_up(t, a);
    }
    p.end_span = t->spans;
    p.end = t->pieces;
    if (t->part) t->part[t->parts] = p;
    t->parts++;
}

/* Parts: what all threads share, then each thread, `areas` being those of one thread. */
static void cut_block(Table *t, const Area *areas, u32 count, u32 threads_at, u32 thread_size, u32 threads) {
    Area shared = { 0, threads_at, 0, 0 };
    t->parts = t->spans = t->pieces = 0;
    cut_part(t, &shared, 1, 0);
    for (u32 i = 0; i < threads; i++) cut_part(t, areas, count, threads_at + i * thread_size);
}

static int table_open(Table *t, const Area *areas, u32 count, u32 threads_at, u32 thread_size, u32 threads) {
    fill_bytes(t, 0, sizeof *t);
    cut_block(t, areas, count, threads_at, thread_size, threads);
    t->row = t->parts + sizeof(Node) / sizeof(u32);
    t->part = malloc(t->parts * sizeof(Part));
    t->span = malloc(t->spans * sizeof(Span));
    t->piece = malloc(t->pieces * sizeof(Piece));
    t->content_mask = t->state_mask = (1 << 15) - 1;
    t->content_index = zeros(sizeof(u64) << 15);
    t->state_index = zeros(sizeof(u64) << 15);
    if (!t->part || !t->span || !t->piece || !t->content_index || !t->state_index) return 0;
    cut_block(t, areas, count, threads_at, thread_size, threads);
    return 1;
}

/* When rows have their size. */
static int table_reserve(Table *t) {
    t->pool = reserve(1ULL << 32, sizeof(u64), &t->pool_room);
    t->rows = reserve(1ULL << 31, t->row * sizeof(u32), &t->state_room);
    return t->pool && t->rows;
}

static void table_close(Table *t) {
    free(t->part); free(t->span); free(t->piece);
    give_back(t->pool, t->pool_room * sizeof(u64));
    give_back(t->rows, t->state_room * t->row * sizeof(u32));
    give_back(t->content_index, (t->content_mask + 1) * sizeof(u64));
    give_back(t->state_index, (t->state_mask + 1) * sizeof(u64));
}
