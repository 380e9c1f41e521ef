"""The engines against each other on random programs: no two may contradict, and every counterexample must replay.

    PYTHONPATH=src python tests/differential/agreement.py FIRST LAST [--shape default|larger|tiny] [--seconds S]

The last line counts programs, questions, those answered by two engines or more, and contradictions.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from samples import SHAPES, data_model, seeds_parser

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unsafe
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel, Program, Taken
from threadproof.portfolio import prepare
from threadproof.portfolio.engines import ENGINES, Turn

SHARE = {"random": 0.25}  # of the time: it goes on to the end where there is nothing to find
PROPERTIES = (Property.UNREACH_CALL, Property.NO_DATA_RACE, Property.NO_DEADLOCK, Property.VALID_MEMSAFETY)


@dataclass(slots=True)
class Question:
    """What each engine that had an answer said to one property of one program."""

    prop: Property
    answers: dict[str, bool] = field(default_factory=dict[str, bool])
    wrong: list[str] = field(default_factory=list[str])

    @property
    def contradictions(self) -> list[str]:
        apart = [f"{self.prop}: {self.answers}"] if len(set(self.answers.values())) > 1 else []
        return apart + self.wrong


def asked(program: Program, prop: Property, seconds: float, engines: Iterable[str] = ENGINES) -> Question:
    question = Question(prop)
    for name in engines:
        if name == "races" and prop is not Property.NO_DATA_RACE:
            continue
        result: Result = Turn(name).load()(Task(program, prop), Budget(seconds * SHARE.get(name, 1.0)), Silent())
        if isinstance(result, Safe | Unsafe):
            question.answers[name] = isinstance(result, Safe)
        if isinstance(result, Unsafe) and replay_schedule(program, prop, result.schedule) is None:
            question.wrong.append(f"{prop}: {name}'s counterexample does not replay")
    return question


def questions(source: str, model: DataModel, seconds: float, engines: Iterable[str] = ENGINES) -> Iterator[Question]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.c"
        path.write_text(source, encoding="utf-8")
        for prop in PROPERTIES:
            program = prepare([str(path)], prop, FrontendOptions(data_model=model, undefined=Taken.PURE))
            yield asked(program, prop, seconds, engines)


def main() -> int:
    parser = seeds_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each engine and question")
    options = parser.parse_args()
    programs, all_questions = 0, list[Question]()
    for seed in range(options.first, options.last):
        source = SHAPES[options.shape](seed)
        try:
            found = list(questions(source, data_model(seed), options.seconds))
        except InputError:
            continue
        programs, all_questions = programs + 1, all_questions + found
        for question in found:
            if question.contradictions:
                print(f"--- seed {seed}", *question.contradictions, source, sep="\n", flush=True)
    by_two = sum(len(question.answers) > 1 for question in all_questions)
    wrong = sum(bool(question.contradictions) for question in all_questions)
    print(f"{programs} programs, {len(all_questions)} questions, {by_two} answered by several, {wrong} contradictions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
