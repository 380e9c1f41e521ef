"""Compares what the native search says and counts with one worker and with several.

python tests/differential/search_jobs.py 0 500 [--tiny | --alike]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace

from search_reductions import LIMIT, SHAPE, TINY, alike, fitting, forms

from threadproof.analysis.footprints.futures import Futures, futures
from threadproof.codegen.runs.native import NativeMachine
from threadproof.core.property import Property
from threadproof.dev.programs.generate import generate, generate_tiny
from threadproof.engines.explicit import native
from threadproof.engines.explicit.search import Fold, NativeSearch, SearchEnd, WhenShort
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.ir.program import Program

JOBS = (1, 2, 3)
ROUND = 60
"""States a round: small, so that workers meet often."""


@dataclass(frozen=True, slots=True)
class Counted:
    end: SearchEnd
    cut: bool
    states: int
    steps: int
    ends: int


def counted(machine: NativeMachine, prop: Property, known: Futures | None, jobs: int, fold: Fold) -> Counted | None:
    """None if the question is too large, or not for the native search. Of a violation only that there is one."""
    question = replace(native.question(machine.program, prop), fold=fold)
    search = NativeSearch(machine, question, WhenShort.GO_ON, known, jobs=jobs)
    try:
        end = SearchEnd.MORE
        while end is SearchEnd.MORE and search.states < LIMIT:
            end = search.run(ROUND)
        assert end is not SearchEnd.LOST
        if end is SearchEnd.VIOLATED:
            assert replay_schedule(machine.program, prop, search.schedule()) is not None, "the schedule does not replay"
            return Counted(end, False, 0, 0, 0)
        if end is not SearchEnd.DONE:
            return None
        return Counted(end, search.cut is not None, search.states, search.steps, search.ends)
    finally:
        search.close()


def compare(program: Program, prop: Property, fold: Fold = Fold.SYMMETRIC) -> tuple[str, int]:
    """How counts differ, and the states of one worker; 0 if the question is not for the native search."""
    task = Task(program, prop)
    machine, known = fitting(task), futures(program)
    if machine is None:
        return "", 0
    found = [counted(machine, prop, known, jobs, fold) for jobs in JOBS]
    alone = found[0]
    if alone is None:
        return "", 0
    return "" if all(one == alone for one in found) else f"{prop.value}: {found}", max(1, alone.states)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--alike", action="store_true", help="programs whose threads are symmetric")
    parser.add_argument("--apart", action="store_true", help="symmetric threads are told apart")
    options = parser.parse_args()
    asked, different, total = 0, 0, 0
    for seed in range(options.first, options.last):
        source = generate_tiny(seed, TINY) if options.tiny else generate(seed, SHAPE)
        source = alike(seed) if options.alike else source
        for program, properties in forms(source, seed):
            for prop in properties:
                difference, states = compare(program, prop, Fold.EQUAL if options.apart else Fold.SYMMETRIC)
                asked += bool(states)
                total += states
                if difference:
                    different += 1
                    print(f"seed {seed}: {difference}", flush=True)
    print(f"{asked} questions, {different} differences; {total:,} states")


if __name__ == "__main__":
    main()
