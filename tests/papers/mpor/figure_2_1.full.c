// figure_2_1.c, sequentialized: reach_error can be reached here exactly if it can be reached there.
// pc[i] is where thread i stands, T1_x the variable x of thread 1; the numbers in comments are lines.
// Data model LP64; reduction full.

typedef unsigned long long u64;
typedef unsigned long pthread_t;

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
  int p0_ = pc[0] + 1;
  u64 r0_ = may_read[0][p0_], w0_ = may_write[0][p0_];
  u64 x0_ = step_reads[0][p0_], y0_ = step_writes[0][p0_];
  int p1_ = pc[1] + 1;
  u64 r1_ = may_read[1][p1_], w1_ = may_write[1][p1_];
  u64 x1_ = step_reads[1][p1_], y1_ = step_writes[1][p1_];
  int p2_ = pc[2] + 1;
  u64 r2_ = may_read[2][p2_], w2_ = may_write[2][p2_];
  u64 x2_ = step_reads[2][p2_], y2_ = step_writes[2][p2_];
  // The threads that may still do something that meets the next step of each.
  u64 can_move = 0;
  u64 m0_ = ALL;
  if (x0_ != ALL) {
    m0_ = 1ull | (MEETS(x0_, y0_, r1_, w1_) ? 2ull : 0) | (MEETS(x0_, y0_, r2_, w2_) ? 4ull : 0);
    if (!may_wait[0][p0_]) { if (m0_ == 1ull) return 1ull; can_move |= 1ull; }
  }
  u64 m1_ = ALL;
  if (x1_ != ALL) {
    m1_ = 2ull | (MEETS(x1_, y1_, r0_, w0_) ? 1ull : 0) | (MEETS(x1_, y1_, r2_, w2_) ? 4ull : 0);
    if (!may_wait[1][p1_]) { if (m1_ == 2ull) return 2ull; can_move |= 2ull; }
  }
  u64 m2_ = ALL;
  if (x2_ != ALL) {
    m2_ = 4ull | (MEETS(x2_, y2_, r0_, w0_) ? 1ull : 0) | (MEETS(x2_, y2_, r1_, w1_) ? 2ull : 0);
    if (!may_wait[2][p2_]) { if (m2_ == 4ull) return 4ull; can_move |= 4ull; }
  }
  // And those that may meet theirs, and so on.
  if (m1_ >> 0 & 1) m1_ |= m0_;
  if (m2_ >> 0 & 1) m2_ |= m0_;
  if (m0_ >> 1 & 1) m0_ |= m1_;
  if (m2_ >> 1 & 1) m2_ |= m1_;
  if (m0_ >> 2 & 1) m0_ |= m2_;
  if (m1_ >> 2 & 1) m1_ |= m2_;
  u64 least = ALL;
  if (can_move >> 0 & 1 && !(m0_ & ~least)) least = m0_;
  if (can_move >> 1 & 1 && !(m1_ & ~least)) least = m1_;
  if (can_move >> 2 & 1 && !(m2_ & ~least)) least = m2_;
  return least;
}

int main(void) {
  pthread_t T0_id1 __attribute__((unused));
  pthread_t T0_id2 __attribute__((unused));
  int T1_4 __attribute__((unused)) = 0;
  int T2_4 __attribute__((unused)) = 0;
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
        // fall through
      case 2:
        T1_4 = y;  // 10: if (y == 1) { i = 42; }
        pc[1] = FINISHED;  // 11: return (void *)(long)i;
        continue;
      }
    } else if (next_thread == 2) {  // t2
      switch (pc[2]) {
      case 1:
        y = 1;  // 16: y = 1;
        if (conflict(2, 2, 0)) { pc[2] = 2; continue; }
        // fall through
      case 2:
        T2_4 = x;  // 17: if (x == 1) { j = 42; }
        pc[2] = FINISHED;  // 18: return (void *)(long)j;
        continue;
      }
    }
  }
}
