"""Reduced products of constants, with the orders and swaps of `independence`, against `explicit` and the checker.

    PYTHONPATH=src python tests/differential/product_sweep.py FIRST LAST [SECONDS] [--by-turns]

Random programs with unbounded loops over small domains. Labels are the values that variables have, so a product that
has no error in it leaves none to imprecision: if `explicit` knows an error, every order must meet it, with the swaps of
every layer; if not, the checker must accept the product; with and without membranes. Then sleep sets and membranes are
made wrong at random: of a program with an error, no product may be accepted. The last line counts what was compared.

`--by-turns`: each program with one order and one set of swaps alone, the next ones with the others.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from impact_sweep import PROPERTY, program_of
from loop_programs import loop_program

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "evidence"))
from value_products import (
    CannotBuild,
    MadeLetter,
    Memory,
    ProductBuilder,
    Values,
    carelessly,
    never,
    reversed_swaps,
    rightly,
    shuffled,
)

from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.membranes import Membranes
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import CannotUnfold, Instance, Places, for_letters
from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import ReducedProduct
from threadproof.core.result import Safe, Unsafe
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions.all_letters import AllLetters
from threadproof.engines import explicit
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, Rejected, check_proof
from threadproof.independence import InstanceLetter
from threadproof.independence.answers import LayerName
from threadproof.independence.orders import PreferenceOrder, orders
from threadproof.independence.swaps import OF_REACHABLE, Swaps
from threadproof.ir.program import Program
from threadproof.smt.context import Context

LAYERS = (LayerName.PARTITION, LayerName.SMT, LayerName.ADDRESSES)
"""Swaps that the layers up to one of these know."""
MOST_NODES = 250


class SwapBuilder(ProductBuilder):
    """With an order of `independence` (the first, if the program has no such order), and its swaps."""

    def __init__(self, program: Program, order: str, last: LayerName, *, membranes: bool = False) -> None:
        super().__init__(program, shuffled(0), never, most_nodes=MOST_NODES)
        self._membranes = self._made_membranes() if membranes else None
        every = orders(self.automaton, self.space.instances)
        self._preference: PreferenceOrder = every[order] if order in every else next(iter(every.values()))
        self.start = self._preference.start
        self._swaps = Swaps(self.encoder, self.context, seconds=60.0)
        names = [name for name, _ in self._swaps.layers]
        self._swaps.layers = self._swaps.layers[: names.index(last) + 1]

    def _made_membranes(self) -> Membranes:
        program = for_letters(self.program, self.prop)
        most = {name: 2 if name != self.automaton.main else 1 for name in self.automaton.templates}
        product = ThreadProduct(program, self.automaton, self.prop, most)
        letters = AllLetters(product.encoder, most)
        swaps = Swaps(product.encoder, Context(product.terms), seconds=60.0, without=OF_REACHABLE)
        return Membranes(product, letters, ThreadGoal(product, letters, None), swaps)

    def membrane(
        self, places: Places, asleep: frozenset[MadeLetter], awake: Sequence[MadeLetter]
    ) -> tuple[Instance, ...]:
        found = self._membranes and self._membranes.preferred(places, tuple(dict.fromkeys(one for one, _ in awake)))
        return found.threads if found else ()

    def sorted(self, places: Places, memory: Memory, letters: Sequence[MadeLetter]) -> list[MadeLetter]:
        named = {self._named(places, made): made for made in letters}
        return [named[one] for one in self._preference.order(memory, named)]

    def remembered(self, places: Places, memory: Memory, made: MadeLetter) -> Memory:
        return self._preference.next(memory, self._named(places, made))

    def sleeps(self, places: Places, values: Values, made: MadeLetter, other: MadeLetter) -> bool:
        given = [self.terms.eq(variable, value) for variable, value in values.items()]
        return self._swaps.may_drop(self._named(places, made), self._named(places, other), given)

    def _named(self, places: Places, made: MadeLetter) -> InstanceLetter:
        letter = self.letters[made[1]]
        return InstanceLetter(made[0], letter, self.automaton.starts(places, letter))


class DrawnMembranes(ProductBuilder):
    """Any threads are said to move first."""

    def __init__(self, program: Program, seed: int) -> None:
        super().__init__(program, shuffled(seed), rightly, most_nodes=MOST_NODES)
        self._rng = Random(seed)

    def membrane(
        self, places: Places, asleep: frozenset[MadeLetter], awake: Sequence[MadeLetter]
    ) -> tuple[Instance, ...]:
        there = list(dict.fromkeys(one for one, _ in awake))
        return tuple(self._rng.sample(there, self._rng.randint(1, len(there)))) if there else ()


def names_of_orders(program: Program) -> list[str]:
    builder = ProductBuilder(program, shuffled(0), never)
    return list(orders(builder.automaton, builder.space.instances))


def built(builder: ProductBuilder) -> ReducedProduct | str:
    try:
        return builder.build()
    except CannotBuild as why:
        return "goes wrong" if "goes wrong" in str(why) else str(why)


Way = tuple[str, LayerName, bool]
"""An order, the last layer of swaps, and whether there are membranes."""


def ways(program: Program, which: Sequence[str] | None = None) -> list[Way]:
    """All of them; `which`: only these orders."""
    swaps = (*((last, False) for last in LAYERS), (LAYERS[-1], True))
    return [(order, *one) for order in which or names_of_orders(program) for one in swaps]


def compared(
    seed: int, seconds: float = 5.0, which: Sequence[str] | None = None, *, by_turns: bool = False
) -> Counter[str]:
    """What was compared; differences raise. `which`: only these orders."""
    source = loop_program(seed)
    program = program_of(source)
    known = explicit.check(Task(program, PROPERTY), Budget(seconds), Silent())
    if not isinstance(known, Safe | Unsafe):
        return Counter({"explicit does not know": 1})
    try:
        every = ways(program, which)
        return _compared(program, seed, isinstance(known, Unsafe), [every[seed % len(every)]] if by_turns else every)
    except (CannotUnfold, CannotEncode) as why:
        return Counter({f"no letters: {why}": 1})
    except AssertionError as difference:
        raise AssertionError(f"seed {seed}: {difference}\n{source}") from None


def _compared(program: Program, seed: int, unsafe: bool, which: Sequence[Way]) -> Counter[str]:
    found: Counter[str] = Counter()
    for order, last, membranes in which:
        product = built(SwapBuilder(program, order, last, membranes=membranes))
        what = product if isinstance(product, str) else "has a product"
        found[f"{'unsafe' if unsafe else 'safe'} program {what}"] += 1
        if isinstance(product, ReducedProduct):
            assert not unsafe, f"{order}, {last.value}: no error was met"
            check = check_proof(program, PROPERTY, product, Budget(300.0))
            assert not isinstance(check, Rejected), f"{order}, {last.value}: {check.why}"
            found["accepted"] += isinstance(check, Accepted)
            found["with membranes"] += any(node.membrane for node in product.nodes)
    careless = (reversed_swaps, carelessly(seed, 0.4), carelessly(seed, 1.0))
    wrong = [ProductBuilder(program, shuffled(seed), sleeps, most_nodes=MOST_NODES) for sleeps in careless]
    for builder in (*wrong, *(DrawnMembranes(program, 3 * seed + n) for n in range(3))) if unsafe else ():
        product = built(builder)
        if isinstance(product, ReducedProduct):
            check = check_proof(program, PROPERTY, product, Budget(300.0))
            assert not isinstance(check, Accepted), "a product of an unsafe program is accepted"
            found["wrong one rejected"] += 1
    return found


def main() -> int:
    by_turns = "--by-turns" in sys.argv
    words = [word for word in sys.argv[1:] if word != "--by-turns"]
    first, last = int(words[0]), int(words[1])
    seconds = float(words[2]) if len(words) > 2 else 5.0
    budget.clock = time.process_time  # what else the machine does is not counted
    counts: Counter[str] = Counter()
    differences = 0
    for seed in range(first, last):
        try:
            counts += compared(seed, seconds, by_turns=by_turns)
        except AssertionError as difference:
            print(difference, flush=True)
            differences += 1
    for name, often in sorted(counts.items()):
        print(f"{often:6} {name}")
    print(f"{last - first} programs, {differences} differences")
    return differences > 0


if __name__ == "__main__":
    sys.exit(main())
