// figure_4_4.c, sequentialized: reach_error can be reached here exactly if it can be reached there.
// pc[i] is where thread i stands, T1_x the variable x of thread 1; the numbers in comments are lines.
// Data model LP64; reduction full.

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long uptr;
typedef unsigned long pthread_t;
typedef struct { u32 owner; u32 count; u8 gap_8[8]; u32 kind; u8 gap_20[20]; } pthread_mutex_t;
_Static_assert(sizeof(pthread_mutex_t) == 40 && __builtin_offsetof(pthread_mutex_t, count) == 4 && __builtin_offsetof(pthread_mutex_t, kind) == 16, "as in the original");

extern void abort(void) __attribute__((noreturn));
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));
void reach_error(void) { __assert_fail("0", "figure_4_4.c", 0, "reach_error"); }
static void assume(int condition) { if (!condition) abort(); }

static int x;  // 6
static pthread_mutex_t m;  // 5
static pthread_t id1;  // 4

enum { THREADS = 2, FINISHED = 0, NOT_CREATED = -1 };
static int pc[THREADS] = {1, NOT_CREATED};

static int running(uptr thread) { return thread < 1 || thread > THREADS || pc[thread - 1] != FINISHED; }

#define ALL (~0ull)
static uptr waits_for[THREADS];  // whose end each thread waits for

// What each thread may still read and write at each of its places.
static const u64 may_read[THREADS][10] = {
  {0, 0, 1, 1, 1, 0, 0, 0, 0, 0},
  {0, 0, 1, 1, 0, 0, 0},
};
static const u64 may_write[THREADS][10] = {
  {0, 0, 7, 7, 7, 7, 6, 4, 0, 0},
  {0, 0, 3, 3, 3, 2, 0},
};
// The same, as long as another thread is m.owner.
static const u64 may_read_0[THREADS][10] = {
  {0, 0, ALL, 0, ALL, ALL, ALL, 0, 0, 0},
  {0, 0, 0, ALL, ALL, ALL, 0},
};
static const u64 may_write_0[THREADS][10] = {
  {0, 0, ALL, 0, ALL, ALL, ALL, 4, 0, 0},
  {0, 0, 0, ALL, ALL, ALL, 0},
};
// Whether a step that reads and writes these meets anything that another thread may still do.
static int conflict(int thread, u64 reads, u64 writes) {
  u64 r = 0, w = 0;
  switch (thread) {
  case 0:
    r = may_read[1][pc[1] + 1];
    w = may_write[1][pc[1] + 1];
    if (m.owner == 1) { r &= may_read_0[1][pc[1] + 1]; w &= may_write_0[1][pc[1] + 1]; }
    break;
  case 1:
    r = (waits_for[0] == 2 ? 0 : may_read[0][pc[0] + 1]);
    w = (waits_for[0] == 2 ? 0 : may_write[0][pc[0] + 1]);
    if (m.owner == 2) { r &= may_read_0[0][pc[0] + 1]; w &= may_write_0[0][pc[0] + 1]; }
    break;
  }
  return ((reads | writes) & w) || (writes & r);
}

// What the next step of each thread reads and writes; all bits where nobody else can be left out.
static const u64 step_reads[THREADS][10] = {
  {ALL, ALL, 0, 0, 1, 0, 0, 0, ALL, ALL},
  {ALL, ALL, 0, 1, 0, 0, ALL},
};
static const u64 step_writes[THREADS][10] = {
  {ALL, ALL, 2, 2, 0, 1, 2, 4, ALL, ALL},
  {ALL, ALL, 2, 0, 1, 2, ALL},
};
// Where it may have to wait.
static const char may_wait[THREADS][10] = {
  {1, 1, 0, 1, 0, 0, 0, 1, 1, 1},
  {1, 1, 1, 0, 0, 0, 1},
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
  // Who must move before a thread does anything: itself, or the one whose end it waits for.
  u64 b0_ = 1;
  uptr end0_ = waits_for[0];
  if (end0_ && running(end0_)) b0_ = end0_ <= THREADS ? 1ull << (end0_ - 1) : ALL;
  // The threads that may still do something that meets the next step of each.
  u64 can_move = 0;
  u64 m0_ = ALL;
  if (b0_ != 1ull) m0_ = b0_ | 1ull;
  else if (x0_ != ALL) {
    m0_ = 1ull | (MEETS(x0_, y0_, r1_, w1_) ? 2ull : 0);
    if (m.owner == 1) m0_ &= 1ull | (MEETS(x0_, y0_, may_read_0[1][p1_], may_write_0[1][p1_]) ? 2ull : 0);
    if (end0_ || !may_wait[0][p0_]) { if (m0_ == 1ull) return 1ull; can_move |= 1ull; }
  }
  u64 m1_ = ALL;
  if (x1_ != ALL) {
    m1_ = 2ull | (MEETS(x1_, y1_, r0_, w0_) ? b0_ : 0);
    if (m.owner == 2) m1_ &= 2ull | (MEETS(x1_, y1_, may_read_0[0][p0_], may_write_0[0][p0_]) ? b0_ : 0);
    if (!may_wait[1][p1_]) { if (m1_ == 2ull) return 2ull; can_move |= 2ull; }
  }
  // And those that may meet theirs, and so on.
  if (m1_ >> 0 & 1) m1_ |= m0_;
  if (m0_ >> 1 & 1) m0_ |= m1_;
  u64 least = ALL;
  if (can_move >> 0 & 1 && !(m0_ & ~least)) least = m0_;
  if (can_move >> 1 & 1 && !(m1_ & ~least)) least = m1_;
  return least;
}

static u32 mutex_lock(void *arg0, u32 self) {
  u32 *owner = arg0;
  u32 *count = (u32 *)((char *)arg0 + 4);
  u32 *kind = (u32 *)((char *)arg0 + 16);
  if (*owner == 0) {
    *owner = self;
    *count = 1;
    return 0;
  }
  if (((*kind & 3) == 1) && (*owner == self)) {
    *count = *count + 1;
    return 0;
  }
  if (((*kind & 3) == 2) && (*owner == self)) {
    return 35;
  }
  assume(0);
  return 0;
}

static u32 mutex_unlock(void *arg0, u32 self) {
  u32 *owner = arg0;
  u32 *count = (u32 *)((char *)arg0 + 4);
  u32 *kind = (u32 *)((char *)arg0 + 16);
  if ((((*kind & 3) == 1) && (*owner == self)) && (1 < *count)) {
    *count = *count - 1;
    return 0;
  }
  if (*owner == self) {
    *owner = 0;
    *count = 0;
    return 0;
  }
  if ((*kind & 3) == 1) {
    return 1;
  }
  if ((*kind & 3) == 2) {
    return 1;
  }
  if (*owner == 0) {
    return 0;
  }
  *owner = 0;
  *count = 0;
  return 0;
}

static u32 mutex_init(void *arg0, void *arg1) {
  u32 *owner = arg0;
  u32 *count = (u32 *)((char *)arg0 + 4);
  u32 *kind = (u32 *)((char *)arg0 + 16);
  u32 *attr_kind = arg1;
  *owner = 0;
  *count = 0;
  *kind = arg1 ? *attr_kind : 0u;
  return 0;
}

static u32 thread_join(uptr thread) {
  if (thread < 1 || thread > THREADS || pc[thread - 1] == NOT_CREATED) return 3;
  assume(pc[thread - 1] == FINISHED);
  return 0;
}

int main(void) {
  int T0_5 = 0;
  pthread_t T0_8 = 0;
  int T1_4 = 0;
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
        mutex_init(&m, 0);  // 16: pthread_mutex_init(&m, 0);
        id1 = 2;  // 17: pthread_create(&id1, ((void *)0), t1, ((void *)0));
        pc[1] = 1;
        pc[0] = 2;
        continue;
      case 2:
        mutex_lock(&m, 1);  // 18: pthread_mutex_lock(&m);
        if (conflict(0, 1, 0)) { pc[0] = 3; continue; }
        // fall through
      case 3:
        T0_5 = x;  // 19: x *= 2;
        if (conflict(0, 0, 1)) { pc[0] = 4; continue; }
        // fall through
      case 4:
        x = T0_5 * 2u;  // 19: x *= 2;
        T0_5 = 0;
        if (conflict(0, 0, 2)) { pc[0] = 5; continue; }
        // fall through
      case 5:
        mutex_unlock(&m, 1);  // 20: pthread_mutex_unlock(&m);
        T0_8 = id1;  // 21: pthread_join(id1, ((void *)0));
        if (running(T0_8) || conflict(0, 0, 4)) { waits_for[0] = T0_8; pc[0] = 6; continue; }
        // fall through
      case 6:
        thread_join(T0_8);  // 21: pthread_join(id1, ((void *)0));
        waits_for[0] = 0;
        T0_8 = 0;
        pc[0] = 7;
        continue;
      case 7:
        return 0;  // 22: return 0;
      }
    } else if (next_thread == 1) {  // t1
      switch (pc[1]) {
      case 1:
        mutex_lock(&m, 2);  // 9: pthread_mutex_lock(&m);
        if (conflict(1, 1, 0)) { pc[1] = 2; continue; }
        // fall through
      case 2:
        T1_4 = x;  // 10: x++;
        if (conflict(1, 0, 1)) { pc[1] = 3; continue; }
        // fall through
      case 3:
        x = T1_4 + 1u;  // 10: x++;
        T1_4 = 0;
        if (conflict(1, 0, 2)) { pc[1] = 4; continue; }
        // fall through
      case 4:
        mutex_unlock(&m, 2);  // 11: pthread_mutex_unlock(&m);
        pc[1] = FINISHED;  // 12: return ((void *)0);
        continue;
      }
    }
  }
}
