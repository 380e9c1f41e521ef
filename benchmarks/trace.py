"""Where the time of engine `trace` goes, and how many questions of each kind it answers in a second.

    PYTHONPATH=src python benchmarks/trace.py FILE ... [--seconds 20] [--data-model ILP32]

Times are of the processor, and include what is called on the way: the solver is part of edges, swaps and triples.
One line for each program: verdict, seconds, then for each part its share of the time, how often it was asked, and how
many of that a second of its own time. Last, all programs together.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from threadproof.abstraction import labelled_product
from threadproof.abstraction.state_samples import StateSamples
from threadproof.abstraction.triples import Triples
from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result
from threadproof.engines.task import Task
from threadproof.engines.trace import check
from threadproof.frontend import FrontendOptions
from threadproof.independence.swaps import Swaps
from threadproof.ir.program import DataModel
from threadproof.portfolio.prepare import prepare
from threadproof.smt.context import Context

PARTS: dict[str, tuple[object, tuple[str, ...]]] = {
    "nodes": (labelled_product.Fixpoint, ("_look",)),
    "edges": (labelled_product, ("strongest",)),
    "swaps": (Swaps, ("may_drop",)),
    "triples": (Triples, ("ask",)),
    "samples": (StateSamples, ("made", "after", "mutants", "moved")),
    "solver": (Context, ("check",)),
}


class Clock:
    """Seconds and calls by part; of a part that calls itself, the outermost call counts."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self._inside: Counter[str] = Counter()

    def timed(self, part: str, of: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(of)
        def asked(*args: Any, **named: Any) -> Any:
            began, outermost = time.process_time(), not self._inside[part]
            self._inside[part] += 1
            try:
                return of(*args, **named)
            finally:
                self._inside[part] -= 1
                self.calls[part] += 1
                if outermost:
                    self.seconds[part] += time.process_time() - began

        return asked

    def attach(self) -> None:
        for part, (owner, names) in PARTS.items():
            for name in names:
                setattr(owner, name, self.timed(part, getattr(owner, name)))

    def line(self, seconds: float) -> str:
        return "  ".join(self._part(part, seconds) for part in PARTS)

    def _part(self, part: str, seconds: float) -> str:
        spent, often = self.seconds[part], self.calls[part]
        return f"{part} {100 * spent / max(seconds, 1e-9):.0f} % {often} ({often / max(spent, 1e-9):.0f}/s)"

    def reset(self) -> None:
        self.seconds.clear()
        self.calls.clear()


def asked(file: Path, seconds: float, model: DataModel) -> Result:
    program = prepare([str(file)], Property.UNREACH_CALL, FrontendOptions(data_model=model))
    return check(Task(program, Property.UNREACH_CALL), Budget(seconds), Silent())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--data-model", type=DataModel, default=DataModel.ILP32)
    given = parser.parse_args()
    budget.clock = time.process_time
    clock, everything, total = Clock(), Clock(), 0.0
    clock.attach()
    for file in given.files:
        clock.reset()
        began = time.process_time()
        found = asked(file, given.seconds, given.data_model)
        spent = time.process_time() - began
        print(f"{file.name}: {type(found).__name__} {spent:.1f} s  {clock.line(spent)}", flush=True)
        everything.seconds += clock.seconds
        everything.calls += clock.calls
        total += spent
    print(f"all: {total:.1f} s  {everything.line(total)}")


if __name__ == "__main__":
    main()
