/* What a case observes. On the real machine a case writes what it sees into shared memory, which the harness prints
   after the process has ended, however it ended. Under Threadproof every observation is held against the real one:
   forward, anything else is an error; backward, anything else is another execution, and to see it all is the error. */
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <malloc.h>
#include <arpa/inet.h>
#include <linux/futex.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define MOST 512
#define NULL_SEEN (-987654321)

#ifdef NATIVE
struct seen { int n, ended, errors; long long at[MOST]; };
extern struct seen *seen;
static void obs(long long v) { if (seen->n < MOST) seen->at[seen->n++] = v; }
#else
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static const long long *wanted;
static int wanted_n, seen_n, returns, backward;
static void obs(long long v) {
  if (!wanted) return; /* nobody expects anything */
  __VERIFIER_atomic_begin();
  int same = seen_n < wanted_n && v == wanted[seen_n];
  if (backward) __VERIFIER_assume(same);
  else if (!same) reach_error();
  seen_n++;
  if (backward && !returns && seen_n == wanted_n) reach_error();
  __VERIFIER_atomic_end();
}
static void expect(const long long *values, int n, int back, int comes_back) {
  wanted = values; wanted_n = n; backward = back; returns = comes_back;
}
static void ended(void) {
  int same = seen_n == wanted_n && returns;
  if (same == backward) reach_error();
}
#endif

static int sign(long long v) { return v < 0 ? -1 : v > 0; }
/* Where a pointer points, as seen from another one. */
static void obs_at(const void *p, const void *from) { obs(p ? (const char *)p - (const char *)from : NULL_SEEN); }
/* Bytes, eight at a time. */
static void obs_bytes(const void *p, size_t n) {
  unsigned long long word = 0;
  for (size_t i = 0; i < n; i++) {
    word = word << 8 | ((const unsigned char *)p)[i];
    if (i % 8 == 7 || i == n - 1) { obs((long long)word); word = 0; }
  }
}
static void obs_text(const char *s) {
  size_t n = 0;
  if (!s) { obs(NULL_SEEN); return; }
  while (s[n]) n++;
  obs((long long)n);
  obs_bytes(s, n);
}
static void obs_double(double d) {
  union { double d; long long bits; } u = {d};
  obs(d != d ? NULL_SEEN : u.bits);
}
static void obs_float(float f) {
  union { float f; int bits; } u = {f};
  obs(f != f ? NULL_SEEN : u.bits);
}
static void obs_long_double(long double d) {
  union { long double d; unsigned char bytes[10]; } u = {d};
  if (d != d) obs(NULL_SEEN); else obs_bytes(u.bytes, 10);
}
