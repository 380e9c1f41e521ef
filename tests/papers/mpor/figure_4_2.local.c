// figure_4_2.c, sequentialized: reach_error can be reached here exactly if it can be reached there.
// pc[i] is where thread i stands, T1_x the variable x of thread 1; the numbers in comments are lines.
// Data model LP64; reduction local.

typedef unsigned int u32;

extern void abort(void) __attribute__((noreturn));
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));
void reach_error(void) { __assert_fail("0", "figure_4_2.c", 0, "reach_error"); }
static void assume(int condition) { if (!condition) abort(); }

static int x = 21;  // 4

enum { THREADS = 1, FINISHED = 0, NOT_CREATED = -1 };
static int pc[THREADS] = {1};

int main(void) {
  int T0_3 = 0;
  u32 T0_z = 0;
  u32 T0_6 = 0;
  u32 T0_is_even_result = 0;
  while (1) {
    int next_thread = __VERIFIER_nondet_int();
    assume(0 <= next_thread && next_thread < THREADS);
    assume(pc[next_thread] > 0);
    if (next_thread == 0) {  // main
      switch (pc[0]) {
      case 1:
        T0_3 = x;  // 10: if (is_even(x + y)) { printf("even"); }
        T0_z = T0_3 + 21u;
        goto T0_is_even_L1;
      T0_is_even_back1:;
        T0_6 = T0_is_even_result;
        if (T0_6 == 0) { goto T0_main_L10; }
        return 0;  // 12: return 0;
      T0_main_L10:;
        return 0;

        // is_even
      T0_is_even_L1:;
        T0_is_even_result = (((int)T0_z % 2) == 0) ? 1u : 0u;  // 7: int is_even(int z) { return z % 2 == 0; }
        goto T0_is_even_back1;
      }
    }
  }
}
