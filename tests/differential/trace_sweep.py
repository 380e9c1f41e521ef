"""The engine `trace` against `explicit` on random programs with unbounded loops over small domains, and its checker.

    PYTHONPATH=src python tests/differential/trace_sweep.py FIRST LAST [SECONDS [ORDER...]] [--by-turns]

In each preference order, and without a reduction; by paths, of source sets and all: what it proves passes the check of
its proof, and `explicit` knows no error; what it finds replays. Then the proofs are given for programs that they are
not about: the same text with a small change. If `explicit` knows an error of that one, no check may accept them. Last,
they are corrupted (`product_corruptions.py`), and must not pass. The last line counts what was compared.

`--by-turns`: each program in two ways alone, others for the next one, with one changed program and one corruption of
one proof: many more programs in the same time.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from unittest.mock import patch

from impact_sweep import PROPERTY, program_of, refused
from loop_programs import joined_program, loop_program

from threadproof.automaton import Instance, ProgramAutomaton
from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.observer import Silent
from threadproof.core.proofs import ReducedProducts
from threadproof.core.result import Result, Safe, Unsafe
from threadproof.engines import explicit
from threadproof.engines.task import Task
from threadproof.engines.trace import engine
from threadproof.evidence.proofs import Accepted, Rejected, check_proof
from threadproof.evidence.replay import Replay, machine_for
from threadproof.independence.orders import PreferenceOrder, orders
from threadproof.independence.swaps import Swaps
from threadproof.ir.program import Program

ORDERS = (
    "loop lockstep",
    "outermost loop lockstep",
    "thread by thread",
    "last thread first",
    "round robin",
    "random",
)
UNREDUCED = "without a reduction"
PATHS = {"paths of source sets": "source", "all paths": "none"}
CHECK_S = 300.0


class NoSwaps(Swaps):
    def may_drop(self, *given: object) -> bool:
        return False


def asked(task: Task, order: str, seconds: float) -> Result:
    """The engine, with one order alone; if the program has no such order, with the first."""

    def only(automaton: ProgramAutomaton, threads: Sequence[Instance]) -> Mapping[str, PreferenceOrder]:
        every = orders(automaton, threads)
        name = order if order in every else next(iter(every))
        return {name: every[name]}

    task = replace(task, options={"reduction": PATHS.get(order, "proof")})
    swaps = NoSwaps if order == UNREDUCED else Swaps
    with patch.object(engine, "orders", only), patch.object(engine, "Swaps", swaps):
        return engine.check(task, Budget(seconds), Silent())


def known(program: Program, seconds: float) -> Result:
    return explicit.check(Task(program, PROPERTY), Budget(seconds), Silent())


def turn(seed: int, which: Sequence[str]) -> list[str]:
    """Two ways for each seed, all ways and pairs of neighbours in the long run."""
    return [which[seed % len(which)], which[(seed + 1 + seed // len(which)) % len(which)]]


def compared(
    seed: int, seconds: float = 5.0, which: Sequence[str] = (*ORDERS, UNREDUCED, *PATHS), *, few: bool = False
) -> Counter[str]:
    """What was compared; differences raise. `few`: with one corruption of one proof."""
    source, found = joined_program(seed) if seed % 2 else loop_program(seed), Counter[str]()
    program = program_of(source)
    unsafe = isinstance(known(program, seconds), Unsafe)
    proofs: list[ReducedProducts] = []
    for order in which:
        result = asked(Task(program, PROPERTY), order, seconds)
        found[f"{'unsafe' if unsafe else 'safe'}, {order}: {type(result).__name__}"] += 1
        if isinstance(result, Unsafe):
            replayed = Replay(machine_for(program, PROPERTY), PROPERTY).run(result.schedule)
            assert replayed is not None, f"seed {seed}, {order}: a schedule that does not replay\n{source}"
        if isinstance(result, Safe):
            assert isinstance(result.proof, ReducedProducts)
            check = check_proof(program, PROPERTY, result.proof, Budget(CHECK_S))
            assert not isinstance(check, Rejected), f"seed {seed}, {order}: {check.why}\n{source}"
            assert not unsafe, f"seed {seed}, {order}: proved, but explicit knows an error\n{source}"
            proofs += [result.proof] * isinstance(check, Accepted)
    if proofs:
        chosen = [Random(seed).choice(proofs)] if few else proofs
        _given_for_others(source, seed, chosen, seconds, found, 1 if few else None)
        for proof in chosen:
            found["corrupted"] += refused(program, proof, Random(seed), 1 if few else 3)
    return found


# --- proofs of something else -----------------------------------------------------------------------------------------


def changed(source: str, rng: Random) -> Iterator[str]:
    """The same with another constant, comparison or variable somewhere, or without a lock."""
    head, start, body = source.partition("void *t0")
    places = list(re.finditer(r"(?<=[=(\[ ])[012xyz](?=[\]); ])|[!=]=|pthread_mutex_\w+\(&m\);", body))
    asserted = [one for one in places if "assert" in body[body.rfind("\n", 0, one.start()) : one.start()]]
    for place in (*rng.sample(places, min(len(places), 4)), *rng.sample(asserted, min(len(asserted), 6))):
        was = place.group()
        others = {"=": ("!=", "=="), "p": ("",)}.get(was[-1] if was[-1] == "=" else was[0], tuple("012xyz"))
        new = rng.choice([one for one in others if one != was])
        yield head + start + body[: place.start()] + new + body[place.end() :]


def _given_for_others(
    source: str,
    seed: int,
    proofs: Sequence[ReducedProducts],
    seconds: float,
    found: Counter[str],
    most: int | None,
) -> None:
    for other in islice(changed(source, Random(seed)), most):
        try:
            program = program_of(other)
        except InputError:
            continue
        if isinstance(known(program, seconds), Unsafe):
            for proof in proofs:
                check = check_proof(program, PROPERTY, proof, Budget(CHECK_S))
                assert not isinstance(check, Accepted), (
                    f"seed {seed}: a proof is accepted for an unsafe program\n{other}"
                )
                found["given for an unsafe program"] += 1


def main() -> int:
    by_turns = "--by-turns" in sys.argv
    given = [one for one in sys.argv[1:] if one != "--by-turns"]
    first, last = int(given[0]), int(given[1])
    seconds = float(given[2]) if len(given) > 2 else 5.0
    every = given[3:] or [*ORDERS, UNREDUCED, *PATHS]
    budget.clock = time.process_time  # what else the machine does is not counted
    counts: Counter[str] = Counter()
    differences = 0
    for seed in range(first, last):
        try:
            counts += compared(seed, seconds, turn(seed, every) if by_turns else every, few=by_turns)
        except AssertionError as difference:
            print(f"seed {seed}: {difference}", flush=True)
            differences += 1
        if seed % 10 == 9:
            print(f"{seed + 1 - first} programs, {differences} differences so far: {dict(counts)}", flush=True)
    for name, often in sorted(counts.items()):
        print(f"{often:6} {name}")
    print(f"{last - first} programs, {differences} differences")
    return differences > 0


if __name__ == "__main__":
    sys.exit(main())
