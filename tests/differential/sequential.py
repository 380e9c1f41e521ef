"""Sequentialized programs against their originals: the same outcomes, for every combination of options.

    PYTHONPATH=src python tests/differential/sequential.py FIRST LAST [--shape NAME] [--explorer direct|engine]

The last lines count programs, combinations explored and run, differences, and what was passed over, by reason.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from brute_force import TooManyStates
from samples import SHAPES, seeds_parser
from sequential_combinations import ENOUGH, Combination, Shows, accepted, bounded, is_run, with_more_rounds
from sequential_direct import CannotRun, of_texts_directly
from sequential_merged import BEYOND
from sequential_native import NotNative
from sequential_outcomes import Outcomes, Values, integers, of_large_original, of_original, of_texts, read

from threadproof.codegen.sequential import Options, Reduction, SelfChecks, sequentialize
from threadproof.core.errors import ThreadproofError
from threadproof.ir.program import DataModel, Program

MOST = 400_000
"""States of a text; for the engine, of all texts of a program together, and if that is too little of each alone."""
SEEDS = 3


NARROW = 20
"""One in so many programs is read for 32 bits, which takes the engine's time."""


class Explorer(Enum):
    """Who explores texts."""

    DIRECT = "direct"  # compiled as they are: the fastest way, but memory that is not initialised is zero
    ENGINE = "engine"  # read by our front end, by the native search of the explicit engine, which also knows 32 bits


class PassedOver(Exception):
    """A program that cannot be compared, and why."""


@dataclass(slots=True)
class Comparison:
    """One program and all texts made from it."""

    original: Program
    names: set[str]
    expected: Outcomes
    folder: Path
    explorer: Explorer = Explorer.DIRECT
    counted: Counter[str] = field(default_factory=Counter[str])
    differences: list[str] = field(default_factory=list[str])
    texts: dict[Options, str] = field(default_factory=dict[Options, str])

    def compare(self, combinations: Sequence[Combination]) -> None:
        explored = [each for each in combinations if not is_run(each)]
        explored += [small for each in explored if each.shows is Shows.ALL for small in self._bounded(each)]
        run = [each for each in combinations if is_run(each)]
        while explored or run:
            explored, run = self._explore(explored, run), []

    def _bounded(self, combination: Combination) -> list[Combination]:
        if combination.options.checks is SelfChecks.OFF:  # the same without checks
            return []
        return bounded(combination) if re.search("the bound on th(reads|e depth)", self._text(combination)) else []

    def _text(self, combination: Combination) -> str:
        if combination.options not in self.texts:
            self.texts[combination.options] = sequentialize(self.original, combination.options).text
        return self.texts[combination.options]

    # --- explored ----------------------------------------------------------------------------------------------------

    def _explore(self, combinations: list[Combination], run: list[Combination]) -> list[Combination]:
        """Those that are to be explored with more rounds."""
        texts: dict[str, str] = {}  # those with self-checks first: the others are the same without them
        keys: dict[Combination, str] = {}
        for each in sorted(combinations, key=lambda each: each.options.checks is SelfChecks.OFF):
            text = self._text(each)
            keys[each] = without_checks(text)
            texts.setdefault(keys[each], text)
        outcomes = self._outcomes(list(texts.values()), [self._text(each) for each in run])
        found = dict(zip(texts, outcomes[: len(texts)], strict=True))
        self.counted["texts explored for them"] += len(texts)
        for each, got in zip(run, outcomes[len(texts) :], strict=True):
            self._tell(each, got, each.shows)
        again = [each for each, key in keys.items() if self._needs_more_rounds(each, found[key])]
        for each, key in keys.items():
            self._tell(each, found[key], Shows.SOME if each in again else each.shows)
        return [with_more_rounds(each) for each in again]

    def _outcomes(self, texts: list[str], run: list[str]) -> list[Outcomes | None]:
        """None: there are too many states, or this cannot be run."""
        model = self.original.data_model
        found: list[Outcomes | None] = [None for _ in run]
        if model is DataModel.LP64 and (run or self.explorer is Explorer.DIRECT):
            try:
                if self.explorer is Explorer.DIRECT:
                    return of_texts_directly(texts, run, self.names, MOST, SEEDS)
                found = of_texts_directly([], run, self.names, MOST, SEEDS)
            except CannotRun:
                self.explorer = Explorer.ENGINE
        try:
            return [*of_texts(texts, model, self.names, MOST, self.folder), *found]
        except (TooManyStates, NotNative):
            alone = [self._outcomes([text], [])[0] for text in texts] if len(texts) > 1 else [None]
            return [*alone, *found]

    # --- compared ----------------------------------------------------------------------------------------------------

    def _finals(self, got: Outcomes) -> set[Values]:
        """What the original leaves in the variables that a text has: it has none that nobody uses."""
        names = {name for values in got.finals for name, _ in values} if got.finals else self.names
        return {tuple(pair for pair in values if pair[0] in names) for values in self.expected.finals}

    def _needs_more_rounds(self, combination: Combination, got: Outcomes | None) -> bool:
        bounds = combination.shows is Shows.ALL_IN_THE_END and combination.options.rounds != ENOUGH
        if got is None or not bounds:
            return False
        whole = not self._lost_errors(combination, got) and got.finals == self._finals(got)
        return not whole and BEYOND not in got.errors

    def _lost_errors(self, combination: Combination, got: Outcomes) -> set[int]:
        """A run ends with its first error, so a thread that goes on may meet its own before another's: without
        reduction all errors must be there, else one of them."""
        missing = self.expected.errors - got.errors
        return missing if combination.options.reduction is Reduction.NONE or not got.errors else set()

    def _tell(self, combination: Combination, got: Outcomes | None, shows: Shows) -> None:
        if got is None:
            self.counted["not run" if is_run(combination) else "not explored"] += 1
            return
        expected, finals = self.expected, self._finals(got)
        whole = shows is not Shows.SOME and BEYOND not in got.errors
        kind = "no other outcomes of runs" if is_run(combination) else "no other outcomes, within a bound"
        self.counted["same outcomes" if whole else kind] += 1
        found = [f"error in line {line}, which is none" for line in sorted(got.errors - expected.errors - {BEYOND})]
        found += [f"no error in line {line}" for line in sorted(self._lost_errors(combination, got)) if whole]
        new, missing = got.finals - finals, finals - got.finals if whole else set[Values]()
        found += [f"an end that is none: {next(iter(new))}"] if new else []
        found += [f"an end that is missing: {next(iter(missing))}"] if missing else []
        found += [f"undefined: {what}" for what in sorted(got.undefined)]
        found += ["a choice of too many values"] if got.wide else []
        self.differences += [f"{combination.name}: {what}" for what in found]


def without_checks(text: str) -> str:
    """What a text without self-checks would be: `check(...)` changes nothing unless it fails."""
    text = re.sub(r"^// Never fails.*\nstatic void check\(.*\n\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^ *default:\n *check\(0\);\n", "", text, flags=re.MULTILINE)
    return re.sub(r"^ *check\(.*\n", "", text, flags=re.MULTILINE)


def without_last_assertions(source: str) -> str:
    """Runs that would end in an error at the end of main show the values they end with instead."""
    return re.sub(r"(    assert\(.*\);\n)+(?=    return 0;\n}\n$)", "", source)


def compared(
    source: str,
    model: DataModel,
    limit: int,
    combinations: Sequence[Combination] | None = None,
    explorer: Explorer = Explorer.DIRECT,
    large: int = 0,
) -> Comparison:
    """Brute force looks at so many states of the original, and if these are too few the native search at `large`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        original = read(folder / "original.c", source, model)
        names = integers(original) - {"pc"}
        expected = _of_original(original, names, limit, large)
        if expected.undefined:
            raise PassedOver("undefined behaviour, or unsupported")
        if expected.wide:
            raise PassedOver("choices of too many values")
        explorer = Explorer.ENGINE if expected.uninitialised else explorer
        found = Comparison(original, names, expected, folder, explorer)
        found.compare(accepted() if combinations is None else combinations)
        if found.counted["not explored"] and not found.counted["same outcomes"]:
            raise PassedOver("texts with too many states, or only for the reference")
        return found


def _of_original(original: Program, names: set[str], limit: int, large: int) -> Outcomes:
    try:
        return of_original(original, names, limit)
    except TooManyStates:
        if not large:
            raise PassedOver("too many states") from None
    try:
        return of_large_original(original, names, large)
    except (TooManyStates, NotNative):
        raise PassedOver("too many states") from None


def main() -> int:
    parser = seeds_parser(__doc__)
    parser.add_argument("--limit", type=int, default=3_000, help="states of the original; larger ones are passed over")
    parser.add_argument("--explorer", choices=[each.value for each in Explorer], default="direct")
    options = parser.parse_args()
    ways = [way for way in accepted() if not is_run(way)]  # runs take half of the time: those of every third program
    programs, wrong, passed, counted, began = 0, 0, Counter[str](), Counter[str](), time.monotonic()
    for seed in range(options.first, options.last):
        source = SHAPES[options.shape](seed)
        source = without_last_assertions(source) if seed % 3 else source
        model = DataModel.ILP32 if seed % NARROW == 4 else DataModel.LP64
        try:
            found = compared(source, model, options.limit, ways if seed % 3 else None, Explorer(options.explorer))
        except PassedOver as reason:
            passed[str(reason)] += 1
            continue
        except ThreadproofError as error:
            print(f"--- seed {seed}: {error}", source, sep="\n", flush=True)
            wrong += 1
            continue
        programs += 1
        counted += found.counted
        wrong += bool(found.differences)
        if found.differences:
            print(f"--- seed {seed}", *found.differences, source, sep="\n", flush=True)
    took = f"{time.monotonic() - began:.0f} s"
    print(f"{programs} programs, {len(accepted())} combinations, {wrong} differ, {took}; combinations:")
    for what, number in sorted(counted.items()):
        print(f"  {what}: {number}")
    for reason, number in sorted(passed.items()):
        print(f"  programs passed over, {reason}: {number}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
