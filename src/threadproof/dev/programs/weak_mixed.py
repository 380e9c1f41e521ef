"""Random programs for weak memory with branches, arrays, pointers, bytes, updates and locks:
`python -m threadproof.dev.programs.weak_mixed SEED` prints one.

What is observed are numbers below 4: those a thread has read, together in `seen1`, `seen2`, ..., and all variables in
the end, together in `last`. Which values are possible is for brute force to say.

In a piece's text `#` is a shared int, `@` 1 or 2, `~` a number the thread has read before, or 1, and `$` the variable
for a number that is read now.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

STORES = ("# = @;", "# = @;", "# = @;", "# = ~;", "if (~)\n    # = @;", "if (~ == @)\n    # = @;")
LOADS = ("int $ = #;", "int $ = #;", "int $ = #;", "int $ = ~ ? # : 3;")
ORDERED = (
    "__sync_synchronize();",
    "__atomic_thread_fence(__ATOMIC_RELEASE);",
    "__atomic_thread_fence(__ATOMIC_ACQUIRE);",
    "__atomic_store_n(&#, @, __ATOMIC_RELEASE);",
    "__atomic_store_n(&#, @, __ATOMIC_SEQ_CST);",
    "int $ = __atomic_load_n(&#, __ATOMIC_ACQUIRE);",
    "int $ = __sync_fetch_and_or(&#, @);",
    "int $ = __sync_bool_compare_and_swap(&#, 0, @);",
    "int own% = 0;\n__sync_fetch_and_add(&own%, 1);",
)
ARRAYS = ("v[~ & 1] = @;", "v[0] = @;", "v[1] = @;", "int $ = v[~ & 1];", "int $ = v[0];", "int $ = v[1];")
POINTERS = ("*p = @;", "int $ = *p;", "p = &#;", "int *q% = p;\n*q% = @;")
BYTES = (
    "u.byte[0] = 1;",
    "u.byte[1] = 1;",
    "u.whole = 0x0101;",
    "short w% = u.whole;\nint $ = (w% & 1) | (w% >> 8) << 1;",
    "int $ = u.byte[0];",
    "int $ = u.byte[1];",
)
LOCKED = "pthread_mutex_lock(&m);\n{}\npthread_mutex_unlock(&m);"


@dataclass(slots=True)
class _Thread:
    rng: Random
    number: int
    pieces: Sequence[str]
    registers: list[str] = field(default_factory=list[str])

    def lines(self, length: int) -> list[str]:
        start = self.rng.choice((("# = @;", "int $ = #;"), ("# = @;", "# = @;"), ("# = @;",), ()))
        pieces = [*start, *(self._piece() for _ in range(len(start), length))]
        body = [self._filled(piece, place) for place, piece in enumerate(pieces)]
        if self.rng.random() < 0.15:
            place = self.rng.randrange(length)
            body[place : place + 2] = [LOCKED.format("\n".join(body[place : place + 2]))]
        if self.registers:
            digits = " + ".join(f"{4**place} * {name}" for place, name in enumerate(self.registers))
            body.append(f"seen{self.number} = {digits};")
        return "\n".join(body).splitlines()

    def _piece(self) -> str:
        return self.rng.choice(self.rng.choice((STORES, LOADS, self.pieces)))

    def _filled(self, piece: str, place: int) -> str:
        number = f"{self.number}{place}"
        known = self.registers[-1] if self.registers else "1"
        turn = (place + self.number) % 2 if self.rng.random() < 0.75 else self.rng.randint(0, 1)
        text = piece.replace("~", known).replace("#", ("x", "y")[turn]).replace("@", str(self.rng.randint(1, 2)))
        if "$" in text:
            self.registers.append(f"r{number}")
        return text.replace("$", f"r{number}").replace("%", number)


@dataclass(frozen=True, slots=True)
class Mixed:
    threads: tuple[tuple[str, ...], ...]
    seen: tuple[int, ...]  # the threads that read something

    @property
    def observed(self) -> tuple[str, ...]:
        return (*(f"seen{number}" for number in self.seen), "last")


def random_mixed(seed: int) -> Mixed:
    rng = Random(f"weak memory, mixed {seed}")
    kinds = rng.sample((ORDERED, ARRAYS, POINTERS, BYTES), rng.randint(1, 2))
    pieces = [piece for kind in kinds for piece in kind]
    count = 2 if rng.random() < 0.8 else 3
    makers = [_Thread(rng, number, pieces) for number in range(1, count + 1)]
    threads = tuple(tuple(maker.lines(rng.randint(2, 4 if count == 2 else 2))) for maker in makers)
    return Mixed(threads, tuple(maker.number for maker in makers if maker.registers))


def source(mixed: Mixed, forbidden: Sequence[int] | None = None) -> str:
    """C; its assertion fails exactly if the values observed are those that are forbidden."""
    numbers = range(1, len(mixed.threads) + 1)
    main = [f"pthread_t {', '.join(f'id{n}' for n in numbers)};"]
    main += [f"pthread_create(&id{n}, 0, t{n}, 0);" for n in numbers]
    main += [f"pthread_join(id{n}, 0);" for n in numbers]
    main.append("last = x + 4 * y + 16 * v[0] + 64 * v[1] + 256 * (p == &x) + 512 * u.byte[0] + 1024 * u.byte[1];")
    if forbidden is not None:
        same = " && ".join(f"{name} == {value}" for name, value in zip(mixed.observed, forbidden, strict=True))
        main.append(f"assert(!({same}));")
    routines = [(f"void *t{n}(void *arg)", lines) for n, lines in zip(numbers, mixed.threads, strict=True)]
    return "\n".join([*_HEAD, f"int {', '.join(mixed.observed)};", *_functions([*routines, ("int main(void)", main)])])


_HEAD = (
    "#include <assert.h>",
    "#include <pthread.h>",
    "int x, y, v[2];",
    "int *p = &x;",
    "union { short whole; char byte[2]; } u;",
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
)


def _functions(all_of_them: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    lines: list[str] = []
    for head, body in all_of_them:
        lines += [f"{head} {{", *(f"    {line}" for line in body), "    return 0;", "}"]
    return [*lines, ""]


if __name__ == "__main__":
    sys.stdout.write(source(random_mixed(int(sys.argv[1]))))
