// figure_2_1.c, sequentialized: reach_error can be reached here exactly if it can be reached there.
// pc[i] is where thread i stands, T1_x the variable x of thread 1; the numbers in comments are lines.
// Data model LP64; reduction local.

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

int main(void) {
  pthread_t T0_id1 __attribute__((unused));
  pthread_t T0_id2 __attribute__((unused));
  int T1_4 __attribute__((unused)) = 0;
  int T2_4 __attribute__((unused)) = 0;
  while (1) {
    int next_thread = __VERIFIER_nondet_int();
    assume(0 <= next_thread && next_thread < THREADS);
    assume(pc[next_thread] > 0);
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
        pc[1] = 2;
        continue;
      case 2:
        T1_4 = y;  // 10: if (y == 1) { i = 42; }
        pc[1] = FINISHED;  // 11: return (void *)(long)i;
        continue;
      }
    } else if (next_thread == 2) {  // t2
      switch (pc[2]) {
      case 1:
        y = 1;  // 16: y = 1;
        pc[2] = 2;
        continue;
      case 2:
        T2_4 = x;  // 17: if (x == 1) { j = 42; }
        pc[2] = FINISHED;  // 18: return (void *)(long)j;
        continue;
      }
    }
  }
}
