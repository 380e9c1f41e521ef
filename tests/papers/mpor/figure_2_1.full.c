// figure_2_1.c, sequentialized: one run of this program for each run of that one.
// Data model LP64; reduction full.

typedef unsigned long long u64;

extern void abort(void) __attribute__((noreturn));
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));
void reach_error(void) { __assert_fail("0", "figure_2_1.c", 0, "reach_error"); }
static void assume(int condition) { if (!condition) abort(); }

static int x;  // 4
static int y;  // 5

enum { THREADS = 3, FINISHED = 0, NOT_CREATED = -1 };
static int pc[THREADS] = {1, NOT_CREATED, NOT_CREATED};

#define ALL (~0ull)
// What each thread may still read and write at each of its places.
static const u64 may_read[THREADS][5] = {
  {0, 0, 3, 0, 0},
  {0, 0, 1, 1, 0},
  {0, 0, 2, 2, 0},
};
static const u64 may_write[THREADS][5] = {
  {0, 0, 3, 0, 0},
  {0, 0, 2, 0, 0},
  {0, 0, 1, 0, 0},
};
// Whether a step that reads and writes these meets anything that another thread may still do.
static int conflict(int thread, u64 reads, u64 writes) {
  u64 r = 0, w = 0;
  switch (thread) {
  case 0:
    r = may_read[1][pc[1] + 1] | may_read[2][pc[2] + 1];
    w = may_write[1][pc[1] + 1] | may_write[2][pc[2] + 1];
    break;
  case 1:
    r = may_read[0][pc[0] + 1] | may_read[2][pc[2] + 1];
    w = may_write[0][pc[0] + 1] | may_write[2][pc[2] + 1];
    break;
  case 2:
    r = may_read[0][pc[0] + 1] | may_read[1][pc[1] + 1];
    w = may_write[0][pc[0] + 1] | may_write[1][pc[1] + 1];
    break;
  }
  return ((reads | writes) & w) || (writes & r);
}

// What the next step of each thread reads and writes; all bits where nobody else can be left out.
static const u64 step_reads[THREADS][5] = {
  {ALL, ALL, 0, ALL, ALL},
  {ALL, ALL, 0, 1, ALL},
  {ALL, ALL, 0, 2, ALL},
};
static const u64 step_writes[THREADS][5] = {
  {ALL, ALL, 0, ALL, ALL},
  {ALL, ALL, 2, 0, ALL},
  {ALL, ALL, 1, 0, ALL},
};
// Where it may have to wait.
static const char may_wait[THREADS][5] = {
  {1, 1, 0, 1, 1},
  {1, 1, 0, 0, 1},
  {1, 1, 0, 0, 1},
};
#define MEETS(reads, writes, r, w) ((((reads) | (writes)) & (w)) | ((writes) & (r)))
// A smallest set of threads whose next steps meet nothing that the others may still do.
static u64 persistent_set(void) {
  int p0 = pc[0] + 1;
  u64 r0 = may_read[0][p0], w0 = may_write[0][p0];
  u64 x0 = step_reads[0][p0], y0 = step_writes[0][p0];
  int p1 = pc[1] + 1;
  u64 r1 = may_read[1][p1], w1 = may_write[1][p1];
  u64 x1 = step_reads[1][p1], y1 = step_writes[1][p1];
  int p2 = pc[2] + 1;
  u64 r2 = may_read[2][p2], w2 = may_write[2][p2];
  u64 x2 = step_reads[2][p2], y2 = step_writes[2][p2];
  // The threads that may still do something that meets the next step of each.
  u64 can_move = 0;
  u64 m0 = ALL;
  if (x0 != ALL) {
    m0 = 1ull | (MEETS(x0, y0, r1, w1) ? 2ull : 0) | (MEETS(x0, y0, r2, w2) ? 4ull : 0);
    if (!may_wait[0][p0]) { if (m0 == 1ull) return 1ull; can_move |= 1ull; }
  }
  u64 m1 = ALL;
  if (x1 != ALL) {
    m1 = 2ull | (MEETS(x1, y1, r0, w0) ? 1ull : 0) | (MEETS(x1, y1, r2, w2) ? 4ull : 0);
    if (!may_wait[1][p1]) { if (m1 == 2ull) return 2ull; can_move |= 2ull; }
  }
  u64 m2 = ALL;
  if (x2 != ALL) {
    m2 = 4ull | (MEETS(x2, y2, r0, w0) ? 1ull : 0) | (MEETS(x2, y2, r1, w1) ? 2ull : 0);
    if (!may_wait[2][p2]) { if (m2 == 4ull) return 4ull; can_move |= 4ull; }
  }
  // And those that may meet theirs, and so on.
  if (m1 >> 0 & 1) m1 |= m0;
  if (m2 >> 0 & 1) m2 |= m0;
  if (m0 >> 1 & 1) m0 |= m1;
  if (m2 >> 1 & 1) m2 |= m1;
  if (m0 >> 2 & 1) m0 |= m2;
  if (m1 >> 2 & 1) m1 |= m2;
  u64 least = ALL;
  if (can_move >> 0 & 1 && !(m0 & ~least)) least = m0;
  if (can_move >> 1 & 1 && !(m1 & ~least)) least = m1;
  if (can_move >> 2 & 1 && !(m2 & ~least)) least = m2;
  return least;
}

int main(void) {
  u64 T0_id1 __attribute__((unused));
  u64 T0_id2 __attribute__((unused));
  int T1_4 = 0;
  int T2_4 = 0;
  while (1) {
    u64 movers = persistent_set();
    int next_thread = 0;
    if (movers & (movers - 1)) {
      next_thread = __VERIFIER_nondet_int();
      assume(0 <= next_thread && next_thread < THREADS);
      assume(pc[next_thread] > 0);
      assume(movers >> next_thread & 1);
    } else {
      while (!(movers >> next_thread & 1)) next_thread++;
    }
    if (next_thread == 0) {  // main
      switch (pc[0]) {
      case 1:
        T0_id1 = 2;  // 23: pthread_create(&id1, ((void *)0), t1, ((void *)0));
        pc[1] = 1;
        T0_id2 = 3;  // 24: pthread_create(&id2, ((void *)0), t2, ((void *)0));
        pc[2] = 1;
        pc[0] = 2;
        continue;
      case 2:
        return 0;  // 25: return 0;
      }
    } else if (next_thread == 1) {  // t1
      switch (pc[1]) {
      case 1:
        x = 1;  // 9: x = 1;
        if (conflict(1, 1, 0)) { pc[1] = 2; continue; }
      case 2:
        T1_4 = y;  // 10: if (y == 1) { i = 42; }
        if (T1_4 != 1) { goto T1_t1_L7; }
      T1_t1_L7:;
        pc[1] = FINISHED;  // 11: return (void *)(long)i;
        continue;
      }
    } else if (next_thread == 2) {  // t2
      switch (pc[2]) {
      case 1:
        y = 1;  // 16: y = 1;
        if (conflict(2, 2, 0)) { pc[2] = 2; continue; }
      case 2:
        T2_4 = x;  // 17: if (x == 1) { j = 42; }
        if (T2_4 != 1) { goto T2_t2_L7; }
      T2_t2_L7:;
        pc[2] = FINISHED;  // 18: return (void *)(long)j;
        continue;
      }
    }
  }
}
