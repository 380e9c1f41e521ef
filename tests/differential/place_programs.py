"""Random programs whose threads read and write a few cells, under locks, in atomic blocks and outside, on paths that
part and end early: sections left on several paths, joins inside sections and blocks, threads created on some paths.

    PYTHONPATH=src python tests/differential/place_programs.py FIRST LAST [--verdicts]

holds what `bmc` counts out of reads against random executions of the unwound program, with one number for each thread,
for routines and for all; `--verdicts` asks `bmc` and `explicit` as well. The last line counts.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from unittest.mock import patch

from agreement import asked

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.bmc.order import places
from threadproof.engines.bmc.order.formula import Formula
from threadproof.engines.bmc.order.ranges import ReadRanges
from threadproof.engines.bmc.order.walks import contradict
from threadproof.engines.bmc.unwinding.unwinding import Unwinding
from threadproof.engines.bmc.unwinding.world import Bounds
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare

POINTS = (places.POINTS, 20, 6)
"""So few that threads are added up by their routine, or all."""
HEAD = """#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_barrier_t both;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
_Bool g;
unsigned char x, b;
signed char y;
int z, v[2];
union { unsigned short whole; unsigned char half[2]; } u;
float f;
int *p = &z;
pthread_t t[4];
void first(void) { x++; }
"""
CELLS = ("x", "x", "x", "y", "y", "z", "b")
ODD_CELLS = ("v[0]", "v[1]", "v[x & 1]", "u.whole", "u.half[0]", "u.half[1]", "*p", "f")


class Writer:
    """The text of one thread's function."""

    def __init__(self, rng: Random, odd: bool, children: list[int]) -> None:
        self.rng, self.odd = rng, odd
        self.children = children  # that it may create and join
        self.created: list[int] = []
        self.locals = ["0"]
        self.held: list[str] = []
        self.inside = False
        self.lines: list[str] = []
        self.count = 0

    def cell(self) -> str:
        return self.rng.choice(ODD_CELLS if self.odd and not self.rng.randrange(3) else CELLS)

    def number(self) -> str:
        return str(self.rng.choice((0, 1, 1, 2, 3, 5, 127, 255)))

    def value(self) -> str:
        one, two = self.rng.choice(self.locals), self.rng.choice(self.locals)
        return self.rng.choice(
            (self.number(), self.number(), one, f"{one} + 1", f"{one} - 1", f"{one} + {two}", f"{one} ? {two} : 1",
             f"{one} * 2", f"({one} & 3) ^ {two}", "__VERIFIER_nondet_bool()", f"{self.cell()} + {one}", self.cell(),
             f"{one} / (({two} & 1) + 1)", f"{one} << 7")
        )  # fmt: skip

    def condition(self) -> str:
        one = self.rng.choice(self.locals)
        return self.rng.choice(
            ("g", "!g", "g", "__VERIFIER_nondet_bool()", f"{one} == {self.number()}", f"{one} < {self.number()}",
             f"{self.cell()} == {self.number()}", "__VERIFIER_nondet_int() > 3", f"!{one}")
        )  # fmt: skip

    def read(self) -> str:
        self.count += 1
        name = f"l{self.count}"
        text = f"int {name} = {self.cell()};"
        self.locals.append(name)
        return text

    def say(self, text: str) -> None:
        self.lines.append(text)

    def body(self, steps: int, depth: int) -> None:
        for _ in range(self.rng.randrange(1, steps + 1)):
            self.step(depth)

    def step(self, depth: int) -> None:
        rng = self.rng
        kind = rng.randrange(26)
        if kind < 5:
            self.say(f"{self.cell()} = {self.value()};")
        elif kind < 7:
            self.say(f"{self.cell()}{rng.choice(('++', '--', ' += 2'))};")
        elif kind < 11:
            self.say(self.read())
        elif kind < 12:
            self.say(f"__sync_fetch_and_add(&{rng.choice('xyz')}, {self.number()});")
        elif kind < 13:
            name = rng.choice("xyz")
            self.say(f"if (__sync_bool_compare_and_swap(&{name}, {self.number()}, {self.number()})) {self.cell()} = 1;")
        elif depth and kind < 16:
            self.branch(depth)
        elif depth and kind < 20 and not self.inside:
            self.section(depth)
        elif depth and kind < 22 and not self.inside:
            self.block(depth)
        elif kind < 24 and self.children:
            self.child()
        elif kind < 25 and depth:
            self.rare(depth)
        else:
            self.say(self.read())

    def nested(self, text: str, depth: int, steps: int = 2) -> None:
        known, created = list(self.locals), list(self.created)
        self.say(text + " {")
        self.body(steps, depth - 1)
        self.locals, self.created = known, created

    def branch(self, depth: int) -> None:
        self.nested(f"if ({self.condition()})", depth)
        if not self.rng.randrange(3) and not self.inside:
            self.leave(again=not self.rng.randrange(2))
        self.say("}")
        if not self.rng.randrange(3):
            self.nested("else", depth)
            self.say("}")

    def leave(self, again: bool) -> None:
        """The thread ends here, perhaps after giving up locks, joining and taking them again."""
        for lock in reversed(self.held):
            self.say(f"pthread_mutex_unlock(&{lock});")
        if self.created and not self.rng.randrange(2):
            self.say(f"pthread_join(t[{self.rng.choice(self.created)}], 0);")
        if again:
            for lock in self.held:
                self.say(f"pthread_mutex_lock(&{lock});")
                if self.rng.randrange(2):
                    self.say(f"{self.cell()} = {self.value()};")
        self.say(self.rng.choice(("return 0;", "return 0;", "pthread_exit(0);")))

    def section(self, depth: int) -> None:
        free = [lock for lock in "mmmn" if lock not in self.held]
        if not free:
            return
        lock, known = self.rng.choice(free), list(self.locals)
        tried = not self.rng.randrange(8)
        self.say(f"if (pthread_mutex_trylock(&{lock}) == 0) {{" if tried else f"pthread_mutex_lock(&{lock});")
        self.held.append(lock)
        self.body(3, depth - 1)
        self.held.pop()
        self.say(f"pthread_mutex_unlock(&{lock});" + (" }" if tried else ""))
        if tried:
            self.locals = known

    def block(self, depth: int) -> None:
        self.say("__VERIFIER_atomic_begin();")
        self.inside = True
        self.body(3, depth - 1)
        self.inside = False
        self.say("__VERIFIER_atomic_end();")

    def child(self) -> None:
        rng = self.rng
        if self.created and rng.randrange(2):
            number = rng.choice(self.created)
            self.say(f"{rng.choice(('', '', 'if (g) '))}pthread_join(t[{number}], 0);")
        else:
            number = self.children.pop()
            self.say(f"pthread_create(&t[{number}], 0, work{number if rng.randrange(3) else 2}, 0);")
            self.created.append(number)

    def rare(self, depth: int) -> None:
        rng = self.rng
        match rng.randrange(8):
            case 0:
                self.nested("for (int i = 0; i < 2; i++)", depth)
                self.say("}")
            case 1 if not self.held and not self.inside:
                kind = rng.choice(("rdlock", "wrlock"))
                self.say(f"pthread_rwlock_{kind}(&w);")
                self.body(2, depth - 1)
                self.say("pthread_rwlock_unlock(&w);")
            case 2 if not self.inside:
                self.say("pthread_once(&once, first);")
            case 3 if self.held == ["m"] and not self.inside:
                self.say(f"if ({self.condition()}) pthread_cond_wait(&cv, &m);")
            case 4:
                self.say("pthread_cond_broadcast(&cv);")
            case 5:
                self.say(f"__VERIFIER_assume({self.condition()});")
            case 6:
                self.count += 1
                self.say(f"int k{self.count} = __VERIFIER_nondet_int(); if (k{self.count} >= 0 && k{self.count} < 3) ")
                self.say(f"{self.cell()} = k{self.count};")
            case _:
                self.say(f"if ({self.condition()}) p = {rng.choice(('&z', '&v[0]', '&v[1]'))};")

    def wrong(self) -> None:
        for name in self.rng.sample(self.locals, min(2, len(self.locals))):
            if name != "0":
                self.say(f"if ({name} == {self.number()}{self.rng.choice(('', ' && g'))}) reach_error();")


def source(seed: int) -> str:
    rng = Random(seed)
    odd = not rng.randrange(3)
    children = list(range(rng.choice((1, 2, 2, 2, 3))))
    grandchild = 3 if not rng.randrange(4) else None
    text = HEAD
    for number in (3, 2, 1, 0):
        writer = Writer(rng, odd, [grandchild] if number == 0 and grandchild is not None else [])
        writer.body(3, 2)
        writer.wrong()
        text += "\n".join((f"void *work{number}(void *arg) {{", *writer.lines, "return 0;", "}", ""))
    writer = Writer(rng, odd, children)
    if rng.randrange(4):
        for number in rng.sample(children, rng.randrange(1, len(children) + 1)):
            children.remove(number)
            routine = number if rng.randrange(2) else 0
            maybe = rng.choice(("", "", "", "if (g) "))
            writer.say(f"{maybe}pthread_create(&t[{number}], 0, work{routine}, 0);")
            writer.created.append(number)
    writer.body(4, 3)
    for number in writer.created:
        writer.say(f"{rng.choice(('', 'if (g) ', '//'))}pthread_join(t[{number}], 0);")
    writer.say(writer.read())
    writer.wrong()
    start = ("int main(void) {", "g = __VERIFIER_nondet_bool();")
    return text + "\n".join((*start, *writer.lines, "return 0;", "}", ""))


def prepared(text: str, prop: Property = Property.UNREACH_CALL) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.c"
        path.write_text(text, encoding="utf-8")
        return prepare([str(path)], prop, FrontendOptions())


def wrong_ranges(text: str, counts: Counter[str]) -> list[str]:
    """What is read in random executions though it was counted out."""
    try:
        world = Unwinding.of(prepared(text), MemoryModel.SC).settled(Bounds(2, 8), Budget(20.0))
    except CannotEncode:
        return []
    formula, wrong = Formula(world), list[str]()
    cells = {p.cell for t in world.threads.values() for e in t.events for p in (*e.reads, *e.writes)}
    for points in POINTS:
        with patch.object(places, "POINTS", points):
            ranges = ReadRanges(world, formula.order, cells, formula.order.loose)
        counts["counted out"] += bool(ranges)
        if contradict(world, ranges):
            wrong.append(f"an execution contradicts what was counted out with {points} points")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--verdicts", action="store_true")
    options = parser.parse_args()
    counts, bad = Counter[str](), 0
    for seed in range(options.first, options.last):
        text = source(seed)
        wrong = wrong_ranges(text, counts)
        if options.verdicts:
            question = asked(prepared(text), Property.UNREACH_CALL, 5.0, ("bmc", "explicit"))
            counts["answered by both"] += len(question.answers) > 1
            counts["true"] += question.answers.get("bmc", False)
            wrong += question.contradictions
        if wrong:
            bad += 1
            print(f"--- seed {seed}", *wrong[:3], sep="\n", flush=True)
        if seed % 100 == 99:
            print(seed, dict(counts), bad, flush=True)
    print(f"{options.last - options.first} programs, {dict(counts)}, {bad} with something wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
