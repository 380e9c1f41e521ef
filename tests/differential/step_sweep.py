"""Walks the native step machine and the reference semantics side by side through many random programs, at both
granularities, and shrinks every difference:

    PYTHONPATH=src python tests/differential/step_sweep.py FIRST LAST [--programs] [--shape default|larger|tiny]

`--programs` takes all of tests/programs as well. The last line counts programs, compared steps and differences.

Compiling is most of the work, so several programs are merged into one; if that shows a difference, each is compared
alone. A second process does the walking: a machine that crashes is a difference like any other, and the libraries
that were loaded go with the process.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import yaml
from comparison import read
from merged import merged
from samples import SHAPES, data_model, seeds_parser, shrunk
from walk import Walked, by_instruction, visibly

from threadproof.core.errors import ThreadproofError
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.program import DataModel, Program, Taken
from threadproof.toolchain.cache import cache_folder

PROGRAMS = sorted((Path(__file__).parents[1] / "programs").glob("*/*/main.c"))
PER_PROCESS = 50  # programs, merged or not; each leaves two loaded libraries behind
TOGETHER = 8  # more would save less compiling than larger states cost


def name_of(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.parent.name}"


def load_case(path: Path) -> Program:
    expected = yaml.safe_load((path.parent / "expect.yml").read_text(encoding="utf-8"))
    model = DataModel(expected.get("data_model", "LP64"))
    return load([str(path)], FrontendOptions(data_model=model, undefined=Taken.PURE))


def walked(sources: tuple[str, ...], model: DataModel) -> Walked:
    if len(sources) == 1:
        return both(read(sources[0], data_model=model))
    return both(read(merged(sources), data_model=model), range(len(sources)))


def walked_case(path: Path) -> Walked:
    return both(load_case(path))


def both(program: Program, firsts: Sequence[int | None] = (None,)) -> Walked:
    found = visibly(program, walks=10, firsts=firsts)
    found.add(by_instruction(program, walks=5, firsts=firsts))
    shutil.rmtree(cache_folder() / "machines", ignore_errors=True)
    return found


class Walker:
    """Walks in another process, a new one after every crash."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(1, context, max_tasks_per_child=PER_PROCESS)

    def texts(self, sources: Sequence[str], model: DataModel) -> Walked:
        return self._result(walked, tuple(sources), model)

    def case(self, path: Path) -> Walked:
        return self._result(walked_case, path)

    def _result(self, function: Callable[..., Walked], *arguments: object) -> Walked:
        try:
            return self._pool.submit(function, *arguments).result()
        except BrokenProcessPool:
            self._start()
            return Walked(differences=["the process died"])
        except ThreadproofError as error:
            return Walked(differences=[f"cannot be compared: {error}"])

    def kinds(self, source: str, model: DataModel) -> frozenset[str]:
        """What differs, without how to get there."""
        return frozenset(difference.split(" after ")[0] for difference in self.texts([source], model).differences)


class Sweep:
    def __init__(self) -> None:
        self.walker = Walker()
        self.total = Walked()
        self.programs = 0
        self._started = time.monotonic()

    def case(self, path: Path) -> None:
        self._take(1, name_of(path), self.walker.case(path), "")

    def batch(self, sources: dict[int, str], model: DataModel) -> None:
        """Random programs by seed, together; alone if together they differ."""
        found = self.walker.texts(list(sources.values()), model)
        if found.differences and len(sources) > 1:
            self._alone(sources, model, found)
            return
        name, small = f"seeds {list(sources)} ({model.value})", ""
        if found.differences:
            small = shrunk(next(iter(sources.values())), lambda text: self.walker.kinds(text, model))
        self._take(len(sources), name, found, small)

    def _alone(self, sources: dict[int, str], model: DataModel, together: Walked) -> None:
        before = len(self.total.differences)
        for seed, source in sources.items():
            self.batch({seed: source}, model)
        if len(self.total.differences) == before:  # only being together brought it about
            self._take(0, f"seeds {list(sources)} merged ({model.value})", together, merged(list(sources.values())))

    def _take(self, programs: int, name: str, found: Walked, small: str) -> None:
        self.total.add(found)
        before, self.programs = self.programs, self.programs + programs
        if found.differences:
            print(f"--- {name}", *found.differences, small, sep="\n", flush=True)
        if before // 100 < self.programs // 100:
            print(self.summary(), flush=True)

    def summary(self) -> str:
        steps, declined = self.total.outcomes.total(), self.total.declined.total()
        return (
            f"{self.programs} programs, {steps} steps compared ({declined} declined by the native machine), "
            f"{len(self.total.differences)} differences, {time.monotonic() - self._started:.0f} s"
        )


def batches(first: int, last: int) -> Iterator[tuple[DataModel, list[int]]]:
    """The seeds in groups of one data model."""
    waiting: dict[DataModel, list[int]] = {model: [] for model in DataModel}
    for seed in range(first, last):
        group = waiting[data_model(seed)]
        group.append(seed)
        if len(group) == TOGETHER:
            yield data_model(seed), group.copy()
            group.clear()
    yield from ((model, group) for model, group in waiting.items() if group)


def main() -> int:
    parser = seeds_parser(__doc__)
    parser.add_argument("--programs", action="store_true", help="all of tests/programs as well")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="threadproof-sweep-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder  # thousands of machines that nobody needs again
        sweep = Sweep()
        for path in PROGRAMS if options.programs else ():
            sweep.case(path)
        for model, seeds in batches(options.first, options.last):
            sweep.batch({seed: SHAPES[options.shape](seed) for seed in seeds}, model)
    print(*(f"{count:9} {outcome}" for outcome, count in sweep.total.outcomes.most_common()), sep="\n")
    print(*(f"{count:9} declined: {what}" for what, count in sweep.total.declined.most_common()), sep="\n")
    print(sweep.summary())
    return 1 if sweep.total.differences else 0


if __name__ == "__main__":
    sys.exit(main())
