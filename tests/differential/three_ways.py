"""Bounded model checking, stateless search and brute force on random programs, about every property:

    PYTHONPATH=src python tests/differential/three_ways.py FIRST LAST [--shape tiny|guarded|...] [--seconds S]

Brute force is every state of the reference semantics; about lost memory it is the engine `explicit`. Whoever knows must
say the same, and what claims a violation must replay. The last line counts programs, questions, answers, differences.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from agreement import Question
from samples import SHAPES, data_model, seeds_parser

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unsafe, Verdict
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.explore.traces import TooManyStates
from threadproof.explore.weak_states import reach
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare
from threadproof.portfolio.engines import Turn

ENGINES = ("bmc", "dpor")
STATES = 20_000


def asked(program: Program, prop: Property, seconds: float) -> Question:
    question = Question(prop)
    truth = brute_force(program, prop, seconds)
    if truth is not Verdict.UNKNOWN:
        question.answers["brute force"] = truth is Verdict.TRUE
    for name in ENGINES:
        result = Turn(name).load()(Task(program, prop), Budget(seconds), Silent())
        if isinstance(result, Safe | Unsafe):
            question.answers[name] = isinstance(result, Safe)
        if isinstance(result, Unsafe) and replay_schedule(program, prop, result.schedule) is None:
            question.wrong.append(f"{prop}: {name}'s counterexample does not replay")
    return question


def brute_force(program: Program, prop: Property, seconds: float) -> Verdict:
    if prop in (Property.VALID_MEMSAFETY, Property.VALID_MEMCLEANUP):
        result = Turn("explicit").load()(Task(program, prop), Budget(seconds), Silent())
        return (
            Verdict.TRUE
            if isinstance(result, Safe)
            else Verdict.FALSE
            if isinstance(result, Unsafe)
            else Verdict.UNKNOWN
        )
    try:
        return reach(program, MemoryModel.SC, prop, limit=STATES).verdict
    except TooManyStates:
        return Verdict.UNKNOWN


def questions(shape: str, seed: int, seconds: float) -> list[Question]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.c"
        path.write_text(SHAPES[shape](seed), encoding="utf-8")
        options = FrontendOptions(data_model=data_model(seed))
        return [asked(prepare([str(path)], prop, options), prop, seconds) for prop in Property]


def main() -> int:
    parser = seeds_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each engine and question")
    options = parser.parse_args()
    programs, total, wrong, who = 0, 0, 0, Counter[str]()
    for seed in range(options.first, options.last):
        try:
            found = questions(options.shape, seed, options.seconds)
        except InputError:
            continue
        programs, total = programs + 1, total + len(found)
        for question in found:
            who.update(question.answers)
            if question.contradictions:
                wrong += 1
                print(f"--- seed {seed}", *question.contradictions, sep="\n", flush=True)
        if programs % 50 == 0:
            print(f"{programs} programs, {total} questions, {dict(who)}, {wrong} differences", flush=True)
    print(f"{programs} programs, {total} questions, answered {dict(who)}, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
