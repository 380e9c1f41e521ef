"""What programs about threads may be about. Pieces are those of `tiny`: `#` a shared int, `@` a small constant,
`%` a fresh number, a line `...` other pieces."""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.dev.programs.tiny import Piece


@dataclass(frozen=True, slots=True)
class Topic:
    pieces: tuple[Piece, ...]  # of threads and main
    globals: str = ""
    functions: str = ""
    setup: str = ""  # how main begins
    of_threads: tuple[Piece, ...] = ()  # not of main


TOPICS: dict[str, Topic] = {
    "recursion": Topic(
        (
            Piece(4, "# = down(@);"),
            Piece(2, "int r% = @;\ndeep(2, &r%);\n# = r%;"),
            Piece(2, "# = is_even(#);"),
        ),
        functions="""int down(int n) { if (n <= 0) return x; x = n; return down(n - 1) + 1; }
void deep(int n, int *up) { int here = n; if (n > 0) deep(n - 1, &here); *up += here; }
int is_odd(int n);
int is_even(int n) { return n <= 0 || n > 3 ? 1 : is_odd(n - 1); }
int is_odd(int n) { return n <= 0 || n > 3 ? 0 : is_even(n - 1); }""",
    ),
    "function pointers": Topic(
        (
            Piece(2, "# = op(@);"),
            Piece(1, "op = less;"),
            Piece(3, "# = ops[# & 1](#);"),
            Piece(2, "ops[1] = op;"),
            Piece(2, "# = apply(less, @);"),
        ),
        globals="int more(int), less(int);\nint (*op)(int) = more;\nint (*ops[2])(int) = {more, less};",
        functions="""int more(int n) { return n + 1; }
int less(int n) { y = n; return n - 1; }
int apply(int (*f)(int), int n) { return f(n); }""",
    ),
    "array of mutexes": Topic(
        (
            Piece(2, "pthread_mutex_lock(&ms[@ & 1]);\n...\npthread_mutex_unlock(&ms[1]);"),
            Piece(3, "int k% = # & 1;\npthread_mutex_lock(&ms[k%]);\n...\npthread_mutex_unlock(&ms[k%]);"),
            Piece(2, "if (pthread_mutex_trylock(&ms[0]) == 0) {\n    ...\n    pthread_mutex_unlock(&ms[0]);\n}"),
        ),
        globals="pthread_mutex_t ms[2];",
        setup="for (int i = 0; i < 2; i++)\n    pthread_mutex_init(&ms[i], 0);",
    ),
    "kinds of mutexes": Topic(
        (
            Piece(2, "pthread_mutex_lock(&again);\n...\npthread_mutex_unlock(&again);"),
            Piece(4, "pthread_mutex_lock(&again);\nlocked();\npthread_mutex_unlock(&again);"),
            Piece(2, "# = pthread_mutex_lock(&strict);"),
            Piece(2, "# = pthread_mutex_unlock(&strict);"),
            Piece(2, "# = pthread_mutex_trylock(&again) != 0;"),
        ),
        globals="pthread_mutex_t again, strict;",
        functions="void locked(void) { pthread_mutex_lock(&again); x++; pthread_mutex_unlock(&again); }",
        setup="""pthread_mutexattr_t kind;
pthread_mutexattr_init(&kind);
pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
pthread_mutex_init(&again, &kind);
pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
pthread_mutex_init(&strict, &kind);""",
    ),
    "conditions": Topic(
        (
            Piece(
                4, "pthread_mutex_lock(&m);\nif (# == @)\n    pthread_cond_wait(&cv, &m);\npthread_mutex_unlock(&m);"
            ),
            Piece(3, "give(@);"),
            Piece(4, "await();"),
        ),
        globals="pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\npthread_cond_t cv = PTHREAD_COND_INITIALIZER;",
        functions="""void give(int n) {
    pthread_mutex_lock(&m); y = n; pthread_cond_signal(&cv); pthread_mutex_unlock(&m);
}
void await(void) {
    pthread_mutex_lock(&m);
    while (!y) pthread_cond_wait(&cv, &m);
    y--;
    pthread_mutex_unlock(&m);
}""",
    ),
    "semaphores": Topic(
        (
            Piece(1, "sem_wait(&sem);"),
            Piece(1, "sem_post(&sem);"),
            Piece(2, "# = sem_trywait(&sem) == 0;"),
            Piece(2, "sem_wait(&one);\n...\nsem_post(&one);"),
        ),
        globals="sem_t sem, one;",
        setup="sem_init(&sem, 0, 0);\nsem_init(&one, 0, 1);",
    ),
    "barriers": Topic(
        (Piece(1, "#++;"),),
        globals="pthread_barrier_t barrier;",
        setup="pthread_barrier_init(&barrier, 0, 2);",
        of_threads=(
            Piece(2, "pthread_barrier_wait(&barrier);"),
            Piece(2, "# = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;"),
        ),
    ),
    "rwlocks": Topic(
        (
            Piece(2, "pthread_rwlock_rdlock(&rw);\n...\npthread_rwlock_unlock(&rw);"),
            Piece(2, "pthread_rwlock_wrlock(&rw);\n...\npthread_rwlock_unlock(&rw);"),
            Piece(2, "if (pthread_rwlock_trywrlock(&rw) == 0) {\n    ...\n    pthread_rwlock_unlock(&rw);\n}"),
            Piece(2, "# = pthread_rwlock_tryrdlock(&rw);"),
        ),
        globals="pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;",
    ),
    "spinning": Topic(
        (
            Piece(2, "while (# == @)\n    ;"),
            Piece(3, "while (pthread_mutex_trylock(&turn))\n    ;\n#++;\npthread_mutex_unlock(&turn);"),
            Piece(2, "for (int i% = 0; i% < 2; i%++)\n    # = i%;"),
            Piece(2, "int n% = @;\nback%:\n# = n%;\nif (n%-- > 0)\n    goto back%;"),
        ),
        globals="pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;",
    ),
    "atomic blocks": Topic(
        (
            Piece(1, "__VERIFIER_atomic_begin();\n...\n__VERIFIER_atomic_end();"),
            Piece(1, "__VERIFIER_atomic_begin();\n__VERIFIER_assume(# != @);\n# = @;\n__VERIFIER_atomic_end();"),
            Piece(1, "__VERIFIER_atomic_begin();\n# = both(@);\n__VERIFIER_atomic_end();"),
            Piece(1, "__VERIFIER_atomic_swap();"),
            Piece(3, "# = both(@);"),
            Piece(1, "__VERIFIER_atomic_begin();\nif (# == @)\n    # = @;\nelse\n    x++;\n__VERIFIER_atomic_end();"),
        ),
        functions="""int both(int n) { x += n; y--; return n ? x : y; }
void __VERIFIER_atomic_swap(void) { int old = x; x = y; y = old; }""",
    ),
    "thread-local": Topic(
        (
            Piece(1, "own++;"),
            Piece(2, "# = own + bump();"),
            Piece(2, "*of_main = @;"),
            Piece(2, "# = *of_main;"),
        ),
        globals="_Thread_local int own = 1;\nint *of_main;",
        functions="int bump(void) { static _Thread_local int times; return ++times; }",
        setup="of_main = &own;",
    ),
    "escaping locals": Topic(
        (Piece(2, "*box = @;"), Piece(3, "# = *box;"), Piece(1, "box = &y;"), Piece(3, "# = via(@);")),
        globals="int *box;",
        functions="""void set(int *p, int n) { *p = n; }
int via(int n) { int here; set(&here, n); x = n; return here; }""",
        setup="int here = 1;\nbox = &here;",
    ),
    "children": Topic(
        (Piece(1, "#++;"),),
        functions="""void *child(void *arg) { int *p = arg; *p += 1; return p; }""",
        of_threads=(
            Piece(
                4,
                "pthread_t id%;\nint here% = @;\npthread_create(&id%, 0, child, &here%);\n"
                "pthread_join(id%, 0);\n# = here%;",
            ),
            Piece(3, "pthread_t id%;\npthread_create(&id%, 0, child, &y);\nx = @;\npthread_join(id%, 0);"),
            Piece(3, "pthread_t id%;\npthread_create(&id%, 0, child, &x);\npthread_detach(id%);"),
        ),
    ),
    "endings": Topic(
        (
            Piece(2, "if (# == @)\n    abort();"),
            Piece(1, "__VERIFIER_assume(# != @);"),
            Piece(2, "if (# == @)\n    exit(1);"),
            Piece(2, "if (# == @)\n    reach_error();"),
            Piece(1, "assert(# != 2);"),
        ),
        functions="void leave(int n) { if (n) pthread_exit(0); x = 2; }",
        of_threads=(Piece(2, "leave(#);"), Piece(2, "if (# == @)\n    return 0;")),
    ),
    "choices": Topic(
        (
            Piece(2, "if (__VERIFIER_nondet_bool())\n    # = @;"),
            Piece(2, "while (__VERIFIER_nondet_bool())\n    # = @;"),
            Piece(2, "unsigned char c% = __VERIFIER_nondet_uchar();\n__VERIFIER_assume(c% < 3);\n# = c%;"),
            Piece(2, "switch (#) {\ncase 0:\n    x = 1;\ncase 1:\n    y = @;\n    break;\ndefault:\n    x = 0;\n}"),
        ),
    ),
    "once": Topic(
        (Piece(3, "pthread_once(&once, first);"),),
        globals="pthread_once_t once = PTHREAD_ONCE_INIT;",
        functions="void first(void) { x++; }",
    ),
    "records": Topic(
        (
            Piece(1, "s.a = @;"),
            Piece(2, "# = s.b;"),
            Piece(2, "s = (struct pair){@, 1};"),
            Piece(2, "p->b++;"),
            Piece(1, "p = &t;"),
            Piece(2, "v[# & 1]++;"),
        ),
        globals="struct pair { int a; signed char b; } s, t = {1, 2}, *p = &s;\nunsigned short v[2] = {65535, 1};",
    ),
    "memory": Topic(
        (Piece(2, "*h = @;"), Piece(2, "# = *h;"), Piece(2, "int *g% = malloc(4);\n*g% = @;\n# = *g%;\nfree(g%);")),
        globals="int *h;",
        setup="h = malloc(sizeof *h);\n*h = 1;",
    ),
    "atomics": Topic(
        (
            Piece(1, "a++;"),
            Piece(2, "# = atomic_exchange(&a, @);"),
            Piece(2, "int e% = @;\nif (atomic_compare_exchange_strong(&a, &e%, @))\n    # = @;"),
            Piece(1, "__sync_fetch_and_add(&#, 1);"),
        ),
        globals="_Atomic int a;",
    ),
}
