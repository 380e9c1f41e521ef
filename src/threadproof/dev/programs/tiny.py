"""The pieces of tiny programs: each says how many visible steps it makes at most, and no piece contains a loop, so
that all interleavings of a few of them can be listed.

In a piece's text `#` is a shared int, `@` a small constant, `%` a fresh number (the same everywhere in the piece), and
a line `...` is where other pieces go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random

from threadproof.dev.programs.features import Feature


@dataclass(frozen=True, slots=True)
class Piece:
    steps: int  # visible steps, without those of the pieces inside
    text: str

    @property
    def is_section(self) -> bool:
        return "..." in self.text


def _around(before: str, after: str, *, steps: int = 2) -> Piece:
    return Piece(steps, f"{before}\n...\n{after}")


def _if_got(attempt: str, release: str) -> Piece:
    return Piece(2, f"if ({attempt} == 0) {{\n    ...\n    {release}\n}}")


PLAIN: tuple[Piece, ...] = (
    Piece(1, "# = @;"),
    Piece(1, "# = @;"),
    Piece(2, "#++;"),
    Piece(2, "# = # + 1;"),
    Piece(2, "if (# == @) {\n    # = @;\n}"),
    Piece(1, "assert(# != 2);"),
)
"""What every program may do, and all that stands inside an atomic block."""

PIECES: dict[Feature, tuple[Piece, ...]] = {
    Feature.ARRAY: (Piece(2, "v[# & 1] = @;"), Piece(2, "v[#] = @;"), Piece(1, "v[2] = @;"), Piece(3, "# = v[# & 1];")),
    Feature.POINTER: (Piece(1, "p = &#;"), Piece(2, "*p = @;"), Piece(2, "p = q;"), Piece(3, "# = *p;")),
    Feature.UNION: (
        Piece(1, "u.whole = @;"),
        Piece(1, "u.part[1] = @;"),
        Piece(2, "# = u.part[1];"),
        Piece(2, "# = u.half[1];"),
    ),
    Feature.MUTEX: (
        _around("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
        _around("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
        _around("pthread_mutex_lock(&n);", "pthread_mutex_unlock(&n);"),
        _if_got("pthread_mutex_trylock(&m)", "pthread_mutex_unlock(&m);"),
        Piece(2, "# = pthread_mutex_trylock(&n) == 0;"),
        Piece(1, "pthread_mutex_lock(&n);"),
    ),
    Feature.RECURSIVE: (
        _around("pthread_mutex_lock(&again);", "pthread_mutex_unlock(&again);"),
        _if_got("pthread_mutex_trylock(&again)", "pthread_mutex_unlock(&again);"),
    ),
    Feature.ERRORCHECK: (
        _around("pthread_mutex_lock(&strict);", "pthread_mutex_unlock(&strict);"),
        Piece(2, "# = pthread_mutex_lock(&strict);"),
        Piece(2, "# = pthread_mutex_unlock(&strict);"),
    ),
    Feature.FLAG: (Piece(2, "# = atomic_flag_test_and_set(&flag);"), Piece(1, "atomic_flag_clear(&flag);")),
    Feature.SPINLOCK: (
        _around("pthread_spin_lock(&lock);", "pthread_spin_unlock(&lock);"),
        _if_got("pthread_spin_trylock(&lock)", "pthread_spin_unlock(&lock);"),
    ),
    Feature.RWLOCK: (
        _around("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"),
        _around("pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);"),
        _if_got("pthread_rwlock_tryrdlock(&rw)", "pthread_rwlock_unlock(&rw);"),
        _if_got("pthread_rwlock_trywrlock(&rw)", "pthread_rwlock_unlock(&rw);"),
        Piece(1, "pthread_rwlock_rdlock(&rw);"),
    ),
    Feature.SEMAPHORE: (
        Piece(1, "sem_wait(&sem);"),
        Piece(1, "sem_post(&sem);"),
        _around("sem_wait(&sem);", "sem_post(&sem);"),
        Piece(2, "# = sem_trywait(&sem) == 0;"),
        Piece(1, "sem_getvalue(&sem, &#);"),
    ),
    Feature.BARRIER: (
        Piece(2, "pthread_barrier_wait(&barrier);"),
        Piece(3, "# = pthread_barrier_wait(&barrier) != 0;"),
    ),
    Feature.CONDITION: (
        Piece(4, "pthread_mutex_lock(&m);\npthread_cond_wait(&cv, &m);\npthread_mutex_unlock(&m);"),
        Piece(4, "pthread_mutex_lock(&m);\nif (# == @) {\n    pthread_cond_wait(&cv, &m);\n}"),
        Piece(1, "pthread_cond_signal(&cv);"),
        Piece(1, "pthread_cond_broadcast(&cv);"),
        Piece(4, "pthread_mutex_lock(&m);\n# = @;\npthread_cond_signal(&cv);\npthread_mutex_unlock(&m);"),
    ),
    Feature.TIMED: (
        _if_got("pthread_mutex_timedlock(&m, &soon)", "pthread_mutex_unlock(&m);"),
        Piece(4, "pthread_mutex_lock(&m);\n# = pthread_cond_timedwait(&late, &m, &soon) != 0;"),
        Piece(1, "pthread_cond_signal(&late);"),
    ),
    Feature.ATOMIC: (
        Piece(1, "a++;"),
        Piece(1, "a = @;"),
        Piece(2, "# = a;"),
        Piece(2, "# = atomic_exchange(&a, @);"),
        Piece(2, "int e% = @;\n# = atomic_compare_exchange_strong(&a, &e%, @);"),
        Piece(2, "int e% = @;\nif (atomic_compare_exchange_strong(&a, &e%, @)) {\n    # = @;\n}"),
    ),
    Feature.BUILTIN: (
        Piece(1, "__sync_fetch_and_add(&#, 1);"),
        Piece(2, "# = __sync_bool_compare_and_swap(&#, 0, @);"),
        Piece(1, "__atomic_store_n(&#, @, __ATOMIC_RELEASE);"),
    ),
    Feature.BLOCK: (_around("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();", steps=1),),
    Feature.ONCE: (Piece(4, "pthread_once(&once, first);"),),
    Feature.CHILD: (
        Piece(2, "pthread_t own_id%;\npthread_create(&own_id%, 0, child, 0);"),
        Piece(3, "pthread_t own_id%;\npthread_create(&own_id%, 0, child, 0);\npthread_join(own_id%, 0);"),
    ),
    Feature.NONDET: (
        Piece(2, "# = __VERIFIER_nondet_bool();"),
        Piece(2, "_Bool k% = __VERIFIER_nondet_bool();\nif (k%) {\n    # = @;\n}"),
        Piece(1, "__VERIFIER_assume(# == @);"),
    ),
    Feature.HANDLE: (
        Piece(1, "held = pthread_self();"),
        Piece(2, "# = pthread_join(held, 0);"),
        Piece(1, "pthread_detach(pthread_self());"),
    ),
    Feature.HEAP: (Piece(2, "*h = @;"), Piece(2, "free(h);"), Piece(1, "h = 0;")),
    Feature.EXIT: (
        Piece(1, "return 0;"),
        Piece(1, "pthread_exit(0);"),
        Piece(2, "if (# == @) {\n    exit(0);\n}"),
    ),
    Feature.CANCEL: (Piece(1, "pthread_testcancel();"),),
}

HELPERS: dict[Feature, tuple[str, ...]] = {
    Feature.ONCE: ("void first(void) {", "    x++;", "}"),
    Feature.CHILD: ("void *child(void *arg) {", "    y = 1;", "    return arg;", "}"),
}


@dataclass(slots=True)
class TinyWriter:
    """Puts pieces one after the other and into each other until the steps are used up."""

    rng: Random
    features: tuple[Feature, ...]
    _names: Iterator[int] = field(default_factory=lambda: count(1))

    def body(self, steps: int, *, only: tuple[Piece, ...] | None = None) -> list[str]:
        """Statements that make at most so many steps. Inside an atomic block nothing blocks: `only` plain pieces."""
        lines: list[str] = []
        while steps > 0:
            piece = self.rng.choice([p for p in only or self._pieces() if p.steps <= steps] or [PLAIN[0]])
            steps -= piece.steps
            inside = self.rng.randint(0, min(2, steps)) if piece.is_section else 0
            steps -= inside
            lines += self._lines(piece, inside)
        return lines

    def _pieces(self) -> tuple[Piece, ...]:
        special = [PIECES[feature] for feature in self.features]
        return self.rng.choice(special) if special and self.rng.random() < 0.65 else PLAIN

    def _lines(self, piece: Piece, inside: int) -> list[str]:
        name, lines = str(next(self._names)), list[str]()
        only = PLAIN if "__VERIFIER_atomic_begin" in piece.text else None
        for line in piece.text.splitlines():
            if line.strip() == "...":
                lines += [line.replace("...", inner) for inner in self.body(inside, only=only)]
            else:
                lines.append(self._filled(line).replace("%", name))
        return lines

    def _filled(self, line: str) -> str:
        while "#" in line:
            line = line.replace("#", self.rng.choice(("x", "x", "y")), 1)
        while "@" in line:
            line = line.replace("@", str(self.rng.randint(0, 2)), 1)
        return line
