"""The partition of memory holds in random runs of the reference machine: two accesses to one byte may alias, and
accesses that must alias are the same bytes in every state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from comparison import read
from samples import data_model
from step_sweep import PROGRAMS, load_case, name_of

from threadproof.analysis.memory.partition import Between, Partition, Through, sites
from threadproof.analysis.points_to import Method, Site, analyse
from threadproof.dev.programs.generate import generate
from threadproof.dev.programs.threaded import generate_threaded
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Access, AccessKind, Choose, Moved
from threadproof.semantics.run import Granularity, Solo, Spurious
from threadproof.semantics.state import State, live_threads

STEPS, RUNS = 150, 3


@dataclass(frozen=True, slots=True)
class Made:
    """An access that a thread makes in some state."""

    thread: int
    site: Site
    start: int
    size: int

    def meets(self, other: Made) -> bool:
        return self.start < other.start + other.size and other.start < self.start + self.size


class Comparison:
    """Random runs of a program held against its partition; objects that one thread alone can reach count too."""

    def __init__(self, program: Program, method: Method = Method.ANDERSEN) -> None:
        form = normalise(program)
        functions = {name: replace(function, unshared=frozenset()) for name, function in form.functions.items()}
        form = replace(form, functions=functions, unshared=frozenset())
        self._machine = Machine(form, Granularity.INSTRUCTION, Spurious.ON, Solo.LIVE)
        points_to = analyse(form, method)
        self.known = not points_to.wild
        self.partition = Partition(form, points_to)
        functions = form.functions.values()
        self._sites = {id(instr): site for function in functions for site, instr in sites(function)}
        self._globals = form.layout().plan.data_end
        self.compared = self.certain = 0

    def run(self, chance: Random) -> None:
        state, before = self._machine.initial(), dict[Site, set[Made]]()
        for _ in range(STEPS):
            movers = [way for number in live_threads(state) for way in self._next(state, number)]
            together = [made for found, _ in movers for made in found]
            for one, other in combinations(together, 2):
                self._compare(one, other)
            if not movers:
                return
            found, state = chance.choice(movers)
            for made in found:
                if made.start < self._globals:  # other addresses are given out again
                    for earlier in (one for others in before.values() for one in others):
                        self._compare(made, earlier)
                    before.setdefault(made.site, set()).add(replace(made, thread=0))

    def _next(self, state: State, number: int) -> Iterator[tuple[list[Made], State]]:
        place = self._machine.next_instr(state, number)
        choices: tuple[int, ...] = ()
        while isinstance(outcome := self._machine.step(state, number, choices), Choose):
            choices = (*choices, outcome.low)
        if isinstance(outcome, Moved) and place is not None:
            site = self._sites.get(id(place[1]))
            made = [effect for effect in outcome.effects if isinstance(effect, Access)]
            plain = [one for one in made if one.kind is not AccessKind.FREE]
            yield [Made(number, site, one.address, one.size) for one in plain if site is not None], outcome.state

    def _compare(self, one: Made, other: Made) -> None:
        mine, others = self.partition.accesses.get(one.site, ()), self.partition.accesses.get(other.site, ())
        mine = tuple(access for access in mine if access.through is Through.PROGRAM)
        others = tuple(access for access in others if access.through is Through.PROGRAM)
        assert mine, one
        assert others, other
        pairs = [(a, b) for a in mine for b in others]
        if one.meets(other):
            assert any(self.partition.may_alias(a, b) for a, b in pairs), (one, other)
            self.compared += 1
        between = Between.ONE_THREAD if one.thread == other.thread else Between.THREADS
        if len(pairs) == 1 and self.partition.must_alias(*pairs[0], between):
            assert (one.start, one.size) == (other.start, other.size), (one, other)
            self.certain += 1


def compare(program: Program) -> Comparison:
    found = Comparison(program)
    for seed in range(RUNS):
        found.run(Random(seed))
    return found


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_programs(path: Path) -> None:
    compare(load_case(path))


def test_random_programs() -> None:
    found = [
        compare(read(make(seed), data_model=data_model(seed)))
        for make in (generate, generate_threaded)
        for seed in range(6)
    ]
    assert sum(one.known for one in found) > 6
    assert sum(one.compared for one in found) > 100
    assert sum(one.certain for one in found) > 20
