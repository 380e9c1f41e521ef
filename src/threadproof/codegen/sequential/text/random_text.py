"""A generated program that runs: its choices come from a generator, a thread that cannot move is chosen again later.

A thread waits only at the beginning of a step, before it has changed anything that counts, so trying another one is
right; inside an atomic block it is not, and the run ends there.
"""

from __future__ import annotations

from threadproof.codegen.sequential.text.choice_text import NONDET

PRELUDE = """// One random run: SEED=7 ./a.out. It ends with an assertion if it reaches the error.
extern char *getenv(const char *);
extern int atoi(const char *);
extern void exit(int) __attribute__((noreturn));
static unsigned long long random_state;
static unsigned long long tries;
static void *again[5];
static int in_atomic;
static unsigned long long random_bits(void) {
  random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
  return random_state >> 20;
}
static void assume(int condition) {
  if (condition) return;
  if (in_atomic || ++tries > 1000000) exit(0);
  __builtin_longjmp(again, 1);
}
#define abort() exit(0)"""

BEGIN = [
    'random_state = getenv("SEED") ? (unsigned long long)atoi(getenv("SEED")) * 2654435761u : 1;',
    "in_atomic = 0;",
]
HEAD = ["__builtin_setjmp(again);", "in_atomic = 0;"]
NEXT = "int next_thread = (int)(random_bits() % THREADS);"


def functions(code: str) -> list[str]:
    """The generator, and the choices that the text mentions."""
    return [PRELUDE, *(_choice(name) for name in sorted(NONDET) if f"__VERIFIER_nondet_{name}(" in code)]


def _choice(name: str) -> str:
    bits = "random_bits() & 1" if name == "bool" else "random_bits()"
    return f"static {NONDET[name]} __VERIFIER_nondet_{name}(void) {{ return {bits}; }}"
