// figure_4_4.c, sequentialized: reach_error can be reached here exactly if it can be reached there.
// pc[i] is where thread i stands, T1_x the variable x of thread 1; the numbers in comments are lines.
// Data model LP64; reduction none.

typedef unsigned char u8;
typedef unsigned int u32;
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
    int next_thread = __VERIFIER_nondet_int();
    assume(0 <= next_thread && next_thread < THREADS);
    assume(pc[next_thread] > 0);
    if (next_thread == 0) {  // main
      switch (pc[0]) {
      case 1:
        mutex_init(&m, 0);  // 16: pthread_mutex_init(&m, 0);
        pc[0] = 2;
        continue;
      case 2:
        id1 = 2;  // 17: pthread_create(&id1, ((void *)0), t1, ((void *)0));
        pc[1] = 1;
        pc[0] = 3;
        continue;
      case 3:
        mutex_lock(&m, 1);  // 18: pthread_mutex_lock(&m);
        pc[0] = 4;
        continue;
      case 4:
        T0_5 = x;  // 19: x *= 2;
        pc[0] = 5;
        continue;
      case 5:
        x = T0_5 * 2u;  // 19: x *= 2;
        pc[0] = 6;
        continue;
      case 6:
        mutex_unlock(&m, 1);  // 20: pthread_mutex_unlock(&m);
        pc[0] = 7;
        continue;
      case 7:
        T0_8 = id1;  // 21: pthread_join(id1, ((void *)0));
        pc[0] = 8;
        continue;
      case 8:
        thread_join(T0_8);  // 21: pthread_join(id1, ((void *)0));
        pc[0] = 9;
        continue;
      case 9:
        return 0;  // 22: return 0;
      }
    } else if (next_thread == 1) {  // t1
      switch (pc[1]) {
      case 1:
        mutex_lock(&m, 2);  // 9: pthread_mutex_lock(&m);
        pc[1] = 2;
        continue;
      case 2:
        T1_4 = x;  // 10: x++;
        pc[1] = 3;
        continue;
      case 3:
        x = T1_4 + 1u;  // 10: x++;
        pc[1] = 4;
        continue;
      case 4:
        mutex_unlock(&m, 2);  // 11: pthread_mutex_unlock(&m);
        pc[1] = 5;
        continue;
      case 5:
        pc[1] = FINISHED;  // 12: return ((void *)0);
        continue;
      }
    }
  }
}
