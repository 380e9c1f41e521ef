/* Steers a program along a schedule, on real threads. Made by Threadproof; the tables of the schedule come before this.
 *
 * The program is compiled with -fsanitize=thread and linked without its library: gcc then calls the functions below
 * before each access to memory that threads may share. Calls of pthread functions come here by the linker's --wrap.
 * Each access and call that the schedule knows waits for its turn. It holds the turn until its thread comes here again,
 * so that it is over when the next one begins. What the schedule does not know (gcc accesses memory a little
 * differently) just goes on.
 *
 * Locks, conditions, semaphores and barriers are those of the system, but in memory of their own, found by the address
 * of the program's: a program that was preprocessed for another machine has other sizes for them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WINDOW 6      /* accesses of the schedule that gcc may have left out */
#define GIVES_UP 10.0 /* seconds without a move */
#define BLOCKED 0.5   /* seconds in which nobody moves: a deadlock */

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __real_pthread_join(pthread_t, void **);
int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_trylock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int __real_pthread_cond_broadcast(pthread_cond_t *);
int __real_pthread_rwlock_rdlock(pthread_rwlock_t *);
int __real_pthread_rwlock_wrlock(pthread_rwlock_t *);
int __real_pthread_rwlock_tryrdlock(pthread_rwlock_t *);
int __real_pthread_rwlock_trywrlock(pthread_rwlock_t *);
int __real_pthread_rwlock_unlock(pthread_rwlock_t *);
int __real_sem_wait(sem_t *);
int __real_sem_trywait(sem_t *);
int __real_sem_post(sem_t *);
int __real_pthread_barrier_wait(pthread_barrier_t *);
int __real_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int __real_pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int __real_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int __real_pthread_cond_signal(pthread_cond_t *);
int __real_pthread_rwlock_init(pthread_rwlock_t *, const pthread_rwlockattr_t *);
int __real_pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int __real_sem_init(sem_t *, int, unsigned);
int __real_sem_getvalue(sem_t *, int *);
void __real_pthread_exit(void *) __attribute__((noreturn));

/* --- turns -------------------------------------------------------------------------------------------------------- */

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int at;                  /* the event whose turn it is */
static unsigned long moves;     /* grows with whatever happens: the watch looks at it */
static int next_of[TP_THREADS]; /* the first event of each thread that is to come */
static char done[TP_EVENTS + 1];
static int waiting, living = 1; /* threads in calls of the system that may block, and all */
static __thread int me;         /* number of this thread in the schedule; -1: it never moves there */
static __thread int holds = -1; /* the event that this thread is at */
static __thread int children, inside;
static int finished; /* nobody is to say anything more */

/* gdb stops here: threadproof.gdb */
void __attribute__((noinline)) tp_switch(int thread, int event, int line, const char *what) {
  __asm__ volatile("" : : "r"(thread), "r"(event), "r"(line), "r"(what) : "memory");
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void end(int code, const char *said) {
  if (!__sync_bool_compare_and_swap(&finished, 0, 1)) for (;;) pause();
  fflush(stdout);
  fprintf(stderr, "threadproof harness: %s\n", said);
  _exit(code);
}

static void pass(int event) { /* with the gate closed */
  done[event] = 1;
  int before = at;
  while (at < TP_EVENTS && done[at]) at++;
  moves++;
  if (at != before) __real_pthread_cond_broadcast(&moved);
}

static void pass_rest(void) { /* this thread does nothing more of the schedule */
  __real_pthread_mutex_lock(&gate);
  for (int i = me < 0 ? TP_EVENTS : next_of[me]; i < TP_EVENTS; i++)
    if (tp_events[i].thread == me) pass(i);
  if (me >= 0) next_of[me] = TP_EVENTS;
  __real_pthread_mutex_unlock(&gate);
}

static void let_go(void) { /* what this thread was at is over */
  if (holds < 0) return;
  __real_pthread_mutex_lock(&gate);
  pass(holds);
  holds = -1;
  __real_pthread_mutex_unlock(&gate);
}

static void violated(const char *what) {
  char text[300];
  let_go();
  snprintf(text, sizeof text, "reproduced: %s (after %d of %d events)", what, at, TP_EVENTS);
  end(1, text);
}

static void for_ever(void) {
  __real_pthread_mutex_lock(&gate);
  for (;;) __real_pthread_cond_wait(&moved, &gate);
}

/* The schedule is over for this thread: it goes on if it is the one that goes wrong, or if all are to block. */
static void beyond(void) {
  __real_pthread_mutex_lock(&gate);
  while (at < TP_EVENTS) __real_pthread_cond_wait(&moved, &gate);
  __real_pthread_mutex_unlock(&gate);
  if (me != TP_LAST_THREAD && !TP_DEADLOCK) for_ever();
}

static void take(int event) {
  __real_pthread_mutex_lock(&gate);
  for (int i = next_of[me]; i < event; i++)
    if (tp_events[i].thread == me && !done[i]) pass(i);
  next_of[me] = event + 1;
  while (at < event) __real_pthread_cond_wait(&moved, &gate);
  holds = event;
  moves++;
  __real_pthread_mutex_unlock(&gate);
  static int last_thread = -1;
  if (last_thread != me) {
    last_thread = me;
    tp_switch(me, event, tp_events[event].line, tp_events[event].what);
  }
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

static int fits(const struct tp_event *e, char kind, char *address, int size) {
  int alone = tp_objects[e->object].base && tp_objects[e->object].size == e->size; /* no part of what may be larger here */
  int grown = size == 8 && e->size == TP_POINTER && alone; /* a pointer of a program for 32 bits */
  if (e->kind != kind || (e->size != size && !grown)) return 0;
  if (tp_objects[e->object].base) return tp_objects[e->object].base + e->offset == address;
  for (int i = 0; i < TP_OBJECTS; i++) /* another object's */
    if (tp_objects[i].base && address >= tp_objects[i].base && address < tp_objects[i].base + tp_objects[i].size)
      return 0;
  return 1;
}

static void touch(char kind, void *address, int size) {
  if (inside || finished) return;
  let_go();
  if (me < 0) {
    beyond();
    return;
  }
  int event = -1, seen = 0, left = 0;
  for (int i = next_of[me]; i < TP_EVENTS && seen < WINDOW; i++) {
    if (tp_events[i].thread != me) continue;
    left = 1;
    if (tp_events[i].kind == 'S') break;
    seen++;
    if (fits(&tp_events[i], kind, address, size)) {
      event = i;
      break;
    }
  }
  if (event < 0) {
    if (!left) beyond();
    return;
  }
  if (!tp_objects[tp_events[event].object].base)
    tp_objects[tp_events[event].object].base = (char *)address - tp_events[event].offset;
  take(event);
}

#define ACCESSES(n)                                                                    \
  void __tsan_read##n(void *a) { touch('R', a, n); }                                   \
  void __tsan_write##n(void *a) { touch('W', a, n); }                                  \
  void __tsan_unaligned_read##n(void *a) { touch('R', a, n); }                         \
  void __tsan_unaligned_write##n(void *a) { touch('W', a, n); }                        \
  void __tsan_volatile_read##n(void *a) { touch('R', a, n); }                          \
  void __tsan_volatile_write##n(void *a) { touch('W', a, n); }                         \
  void __tsan_unaligned_volatile_read##n(void *a) { touch('R', a, n); }                \
  void __tsan_unaligned_volatile_write##n(void *a) { touch('W', a, n); }
ACCESSES(1) ACCESSES(2) ACCESSES(4) ACCESSES(8) ACCESSES(16)
void __tsan_read_range(void *a, long n) { touch('R', a, (int)n); }
void __tsan_write_range(void *a, long n) { touch('W', a, (int)n); }
void __tsan_vptr_update(void **a, void *b) { (void)a, (void)b; }
void __tsan_vptr_read(void **a) { (void)a; }
void __tsan_func_entry(void *a) { (void)a; }
void __tsan_func_exit(void) {}
void __tsan_init(void) {}

#define ATOMICS(n, type)                                                                                     \
  type __tsan_atomic##n##_load(const volatile type *a, int o) {                                              \
    (void)o, touch('R', (void *)a, n / 8);                                                                   \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                             \
  }                                                                                                          \
  void __tsan_atomic##n##_store(volatile type *a, type v, int o) {                                           \
    (void)o, touch('W', (void *)a, n / 8);                                                                   \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                                \
  }                                                                                                          \
  type __tsan_atomic##n##_exchange(volatile type *a, type v, int o) {                                        \
    (void)o, touch('U', (void *)a, n / 8);                                                                   \
    return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                          \
  int __tsan_atomic##n##_compare_exchange_strong(volatile type *a, type *c, type v, int o, int p) {          \
    (void)o, (void)p, touch(__atomic_load_n(a, __ATOMIC_SEQ_CST) == *c ? 'U' : 'R', (void *)a, n / 8);       \
    return __atomic_compare_exchange_n(a, c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                      \
  }                                                                                                          \
  int __tsan_atomic##n##_compare_exchange_weak(volatile type *a, type *c, type v, int o, int p) {            \
    return __tsan_atomic##n##_compare_exchange_strong(a, c, v, o, p);                                        \
  }                                                                                                          \
  type __tsan_atomic##n##_compare_exchange_val(volatile type *a, type c, type v, int o, int p) {             \
    __tsan_atomic##n##_compare_exchange_strong(a, &c, v, o, p);                                              \
    return c;                                                                                                \
  }
ATOMICS(8, unsigned char) ATOMICS(16, unsigned short) ATOMICS(32, unsigned) ATOMICS(64, unsigned long)
#define FETCHES(n, type, name)                                              \
  type __tsan_atomic##n##_fetch_##name(volatile type *a, type v, int o) {   \
    (void)o, touch('U', (void *)a, n / 8);                                  \
    return __atomic_fetch_##name(a, v, __ATOMIC_SEQ_CST);                   \
  }
#define ALL_FETCHES(n, type)                                                                                     \
  FETCHES(n, type, add) FETCHES(n, type, sub) FETCHES(n, type, and) FETCHES(n, type, or) FETCHES(n, type, xor)   \
  FETCHES(n, type, nand)
ALL_FETCHES(8, unsigned char) ALL_FETCHES(16, unsigned short) ALL_FETCHES(32, unsigned) ALL_FETCHES(64, unsigned long)
void __tsan_atomic_thread_fence(int o) { (void)o, __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int o) { (void)o; }

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* The schedule's event for this call, after waiting for its turn; -1 if the schedule ends before. */
static int call(const char *what) {
  let_go();
  if (me >= 0)
    for (int i = next_of[me]; i < TP_EVENTS; i++) {
      if (tp_events[i].thread != me || tp_events[i].kind != 'S') continue;
      if (strcmp(tp_events[i].what, what)) break; /* not known there */
      take(i);
      return i;
    }
  int left = 0, calls = 0;
  for (int i = me < 0 ? TP_EVENTS : next_of[me]; i < TP_EVENTS; i++)
    if (tp_events[i].thread == me) left = 1, calls |= tp_events[i].kind == 'S';
  if (left && !calls && strcmp(what, "thread_exit")) { /* the schedule knows all calls: what is left, gcc has left out */
    pass_rest();
    left = 0;
  }
  if (!left) beyond();
  return -1;
}

static int blocking(int (*wait)(void *), void *object) {
  __sync_fetch_and_add(&waiting, 1);
  int result = wait(object);
  __sync_fetch_and_sub(&waiting, 1);
  __sync_fetch_and_add(&moves, 1);
  return result;
}

struct shadow {
  void *of;
  int ready;
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  pthread_rwlock_t rwlock;
  sem_t semaphore;
  pthread_barrier_t barrier;
  struct shadow *next;
};
static struct shadow *shadows;
static struct shadow *shadow(void *of) {
  static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
  __real_pthread_mutex_lock(&door);
  struct shadow *s = shadows;
  while (s && s->of != of) s = s->next;
  if (!s) {
    s = calloc(1, sizeof *s);
    s->of = of, s->next = shadows, shadows = s;
    __real_pthread_mutex_init(&s->mutex, 0), __real_pthread_cond_init(&s->condition, 0), __real_pthread_rwlock_init(&s->rwlock, 0);
    __real_sem_init(&s->semaphore, 0, 0);
  }
  __real_pthread_mutex_unlock(&door);
  return s;
}

static int lock(void *m) { return __real_pthread_mutex_lock(m); }
static int rdlock(void *m) { return __real_pthread_rwlock_rdlock(m); }
static int wrlock(void *m) { return __real_pthread_rwlock_wrlock(m); }
static int down(void *m) { return __real_sem_wait(m); }
static int arrive(void *m) { return __real_pthread_barrier_wait(m); }

int __wrap_pthread_mutex_init(void *m, const pthread_mutexattr_t *attr) {
  int kind = PTHREAD_MUTEX_NORMAL;
  if (attr) pthread_mutexattr_gettype(attr, &kind);
  pthread_mutexattr_t own;
  pthread_mutexattr_init(&own), pthread_mutexattr_settype(&own, kind);
  return __real_pthread_mutex_init(&shadow(m)->mutex, &own);
}
int __wrap_pthread_mutex_destroy(void *m) { return (void)m, 0; }
int __wrap_pthread_mutex_lock(void *m) {
  call("mutex_lock");
  return blocking(lock, &shadow(m)->mutex);
}
int __wrap_pthread_mutex_trylock(void *m) {
  call("mutex_trylock");
  return __real_pthread_mutex_trylock(&shadow(m)->mutex);
}
int __wrap_pthread_mutex_timedlock(void *m, const struct timespec *t) {
  int event = call("mutex_timedlock");
  if (event >= 0 && tp_events[event].value) return (int)tp_events[event].value;
  return __real_pthread_mutex_timedlock(&shadow(m)->mutex, t);
}
int __wrap_pthread_mutex_unlock(void *m) {
  call("mutex_unlock");
  return __real_pthread_mutex_unlock(&shadow(m)->mutex);
}
int __wrap_pthread_spin_init(void *m, int shared) { return (void)m, (void)shared, 0; }
int __wrap_pthread_spin_destroy(void *m) { return (void)m, 0; }
int __wrap_pthread_spin_lock(void *m) {
  call("spin_lock");
  return blocking(lock, &shadow(m)->mutex);
}
int __wrap_pthread_spin_trylock(void *m) {
  call("spin_trylock");
  return __real_pthread_mutex_trylock(&shadow(m)->mutex);
}
int __wrap_pthread_spin_unlock(void *m) {
  call("spin_unlock");
  return __real_pthread_mutex_unlock(&shadow(m)->mutex);
}
int __wrap_pthread_rwlock_init(void *m, const void *attr) { return (void)attr, (void)m, 0; }
int __wrap_pthread_rwlock_destroy(void *m) { return (void)m, 0; }
int __wrap_pthread_rwlock_rdlock(void *m) {
  call("rw_rdlock");
  return blocking(rdlock, &shadow(m)->rwlock);
}
int __wrap_pthread_rwlock_wrlock(void *m) {
  call("rw_wrlock");
  return blocking(wrlock, &shadow(m)->rwlock);
}
int __wrap_pthread_rwlock_tryrdlock(void *m) {
  call("rw_tryrdlock");
  return __real_pthread_rwlock_tryrdlock(&shadow(m)->rwlock);
}
int __wrap_pthread_rwlock_trywrlock(void *m) {
  call("rw_trywrlock");
  return __real_pthread_rwlock_trywrlock(&shadow(m)->rwlock);
}
int __wrap_pthread_rwlock_unlock(void *m) {
  call("rw_unlock");
  return __real_pthread_rwlock_unlock(&shadow(m)->rwlock);
}
int __wrap_sem_init(void *m, int shared, unsigned value) {
  (void)shared;
  return __real_sem_init(&shadow(m)->semaphore, 0, value);
}
int __wrap_sem_destroy(void *m) { return (void)m, 0; }
int __wrap_sem_wait(void *m) {
  call("sem_wait");
  return blocking(down, &shadow(m)->semaphore);
}
int __wrap_sem_trywait(void *m) {
  call("sem_trywait");
  return __real_sem_trywait(&shadow(m)->semaphore);
}
int __wrap_sem_post(void *m) {
  call("sem_post");
  return __real_sem_post(&shadow(m)->semaphore);
}
int __wrap_sem_getvalue(void *m, int *value) {
  call("sem_getvalue");
  return __real_sem_getvalue(&shadow(m)->semaphore, value);
}
int __wrap_pthread_barrier_init(void *m, const void *attr, unsigned count) {
  (void)attr;
  return __real_pthread_barrier_init(&shadow(m)->barrier, 0, count);
}
int __wrap_pthread_barrier_destroy(void *m) { return (void)m, 0; }
int __wrap_pthread_barrier_wait(void *m) {
  call("barrier_arrive");
  let_go();
  int result = blocking(arrive, &shadow(m)->barrier);
  call("barrier_pass");
  return result;
}
int __wrap_pthread_cond_init(void *c, const void *attr) { return (void)attr, (void)c, 0; }
int __wrap_pthread_cond_destroy(void *c) { return (void)c, 0; }
/* Who wakes, and when, is said by the schedule; one that it does not wake waits for the system's signal. */
static int sleeping(void *c, void *m) {
  call("cond_enqueue");
  struct shadow *condition = shadow(c), *mutex = shadow(m);
  int wakes = -1;
  for (int i = me < 0 ? TP_EVENTS : next_of[me]; i < TP_EVENTS && wakes < 0; i++)
    if (tp_events[i].thread == me) wakes = i;
  if (wakes >= 0 && !strncmp(tp_events[wakes].what, "cond_relock", 11)) {
    __real_pthread_mutex_unlock(&mutex->mutex);
    call(tp_events[wakes].what);
    __real_pthread_mutex_lock(&mutex->mutex);
    return (int)tp_events[wakes].value;
  }
  let_go();
  __sync_fetch_and_add(&waiting, 1);
  int result = __real_pthread_cond_wait(&condition->condition, &mutex->mutex);
  __sync_fetch_and_sub(&waiting, 1);
  __sync_fetch_and_add(&moves, 1);
  return result;
}
int __wrap_pthread_cond_wait(void *c, void *m) { return sleeping(c, m); }
int __wrap_pthread_cond_timedwait(void *c, void *m, const void *t) { return (void)t, sleeping(c, m); }
int __wrap_pthread_cond_signal(void *c) {
  if (call("cond_signal") >= 0) return 0; /* whom it wakes, the schedule says; nobody else */
  return __real_pthread_cond_signal(&shadow(c)->condition);
}
int __wrap_pthread_cond_broadcast(void *c) {
  call("cond_broadcast");
  return __real_pthread_cond_broadcast(&shadow(c)->condition);
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

struct start {
  void *(*routine)(void *);
  void *argument;
  int number;
};
static void thread_ends(void *unused) {
  (void)unused;
  let_go();
  pass_rest(); /* what it was to do and gcc has left out */
  __sync_fetch_and_sub(&living, 1);
  __sync_fetch_and_add(&moves, 1);
}
static void *starts(void *given) {
  struct start start = *(struct start *)given;
  free(given);
  me = start.number;
  void *result;
  pthread_cleanup_push(thread_ends, 0);
  result = start.routine(start.argument);
  pthread_cleanup_pop(1);
  return result;
}
static int number_of_child(void) {
  int child = children++;
  for (int i = 0; i < TP_THREADS && me >= 0; i++)
    if (tp_threads[i].parent == me && tp_threads[i].child == child) return i;
  return -1;
}
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *attr, void *(*routine)(void *), void *argument) {
  (void)attr;
  if (call("thread_create") < 0) call("thread_create_detached");
  struct start *start = malloc(sizeof *start);
  *start = (struct start){routine, argument, number_of_child()};
  __sync_fetch_and_add(&living, 1);
  return __real_pthread_create(t, 0, starts, start);
}
int __wrap_pthread_join(pthread_t t, void **result) {
  call("thread_join");
  let_go(); /* whoever is joined may still be on its way out */
  __sync_fetch_and_add(&waiting, 1);
  int code = __real_pthread_join(t, result);
  __sync_fetch_and_sub(&waiting, 1);
  __sync_fetch_and_add(&moves, 1);
  return code;
}
void __wrap_pthread_exit(void *result) {
  call("thread_exit");
  if (me == 0) thread_ends(0);
  __real_pthread_exit(result);
}

/* --- what goes wrong, and what comes from outside ------------------------------------------------------------------ */

void __wrap___assert_fail(const char *what, const char *file, unsigned line, const char *function) {
  (void)file, (void)line, (void)function;
  if (!TP_DEADLOCK) violated(what);
  end(5, "an assertion fails");
  abort();
}
void __attribute__((weak)) reach_error(void) { violated("reach_error() is called"); }
void __attribute__((weak)) __VERIFIER_error(void) { violated("__VERIFIER_error() is called"); }
void __cyg_profile_func_enter(void *function, void *site) {
  (void)site;
  if (TP_DEADLOCK || !function) return;
  if (function == (void *)reach_error || function == (void *)__VERIFIER_error) violated("reach_error() is called");
}
void __cyg_profile_func_exit(void *function, void *site) { (void)function, (void)site; }
void __wrap_abort(void) { end(5, "the program aborts"); __builtin_trap(); }

/* The schedule does not end by itself: if another thread is to go wrong, main has not returned there. */
static void __attribute__((destructor)) over(void) {
  if (!finished && !TP_DEADLOCK && me != TP_LAST_THREAD) {
    let_go();
    for_ever();
  }
  end(5, "not reproduced: the program ended");
}

/* The next value of this function in this thread. By function: for another machine, a loop over the bytes of a struct
 * asks for more values, or fewer, and those of other functions are not to move by that. */
long tp_nondet(const char *of) {
  static char given[TP_NONDETS + 1]; /* of each, its thread alone reads and writes it */
  for (int i = 0; i < TP_NONDETS && me >= 0; i++)
    if (tp_nondets[i].thread == me && !given[i] && !strcmp(tp_nondets[i].of, of)) {
      given[i] = 1;
      return tp_nondets[i].value;
    }
  return 0;
}
void __attribute__((weak)) __VERIFIER_assume(int holds_) { if (!holds_) end(5, "an assumption fails"); }
void __attribute__((weak)) __VERIFIER_atomic_begin(void) {}
void __attribute__((weak)) __VERIFIER_atomic_end(void) {}

static void lost(void) {
  char text[300];
  const struct tp_event *e = &tp_events[at];
  snprintf(text, sizeof text, "the program does not follow the schedule: it waits for event %d of %d, line %d, %s", at + 1,
           TP_EVENTS, e->line, e->what);
  end(3, at < TP_EVENTS ? text : "the program goes another way behind the end of the schedule");
}
static void *watch(void *unused) {
  (void)unused;
  unsigned long seen = moves;
  double since = now();
  for (;;) {
    usleep(20000);
    if (seen != moves) seen = moves, since = now();
    double still = now() - since;
    int all = living > 0 && waiting >= living;
    if (TP_DEADLOCK && at >= TP_EVENTS && all && still > BLOCKED) violated("deadlock: every thread waits");
    if (still > GIVES_UP) lost();
  }
  return 0;
}
static void __attribute__((constructor)) begin(void) {
  pthread_t t;
  tp_bind();
  inside = 0;
  __real_pthread_create(&t, 0, watch, 0);
}
