"""Sequentialized programs against their originals: the same outcomes, for every combination of options.

    PYTHONPATH=src python tests/differential/sequential.py FIRST LAST [--shape tiny|default|...] [--limit STATES]

The last lines count programs, combinations explored and run, differences, and what was passed over, by reason.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from brute_force import TooManyStates
from samples import SHAPES, data_model, seeds_parser
from sequential_combinations import ENOUGH, Combination, Shows, accepted, bounded, is_run, with_more_rounds
from sequential_merged import BEYOND
from sequential_outcomes import Outcomes, Values, integers, of_original, of_texts, read
from sequential_runs import runs

from threadproof.codegen.sequential import Checks, Options, sequentialize
from threadproof.core.errors import InputError
from threadproof.ir.program import DataModel, Program

MOST = 2_000_000
"""States of all texts of a program together; beyond, each is explored alone."""
SEEDS = 6


class PassedOver(Exception):
    """A program that cannot be compared, and why."""


@dataclass(slots=True)
class Comparison:
    """One program and all texts made from it."""

    original: Program
    names: set[str]
    expected: Outcomes
    folder: Path
    counted: Counter[str] = field(default_factory=Counter[str])
    differences: list[str] = field(default_factory=list[str])
    texts: dict[Options, str] = field(default_factory=dict[Options, str])

    def compare(self, combinations: Sequence[Combination]) -> None:
        explored = [each for each in combinations if not is_run(each)]
        explored += [small for each in explored if each.shows is Shows.ALL for small in self._bounded(each)]
        while explored:
            explored = self._explore(explored)
        self._run([each for each in combinations if is_run(each)])

    def _bounded(self, combination: Combination) -> list[Combination]:
        return bounded(combination) if re.search("the bound on th(reads|e depth)", self._text(combination)) else []

    def _text(self, combination: Combination) -> str:
        if combination.options not in self.texts:
            self.texts[combination.options] = sequentialize(self.original, combination.options).text
        return self.texts[combination.options]

    # --- explored ----------------------------------------------------------------------------------------------------

    def _explore(self, combinations: list[Combination]) -> list[Combination]:
        """Those that are to be explored with more rounds."""
        texts: dict[str, str] = {}  # those with self-checks first: the others are the same without them
        keys: dict[Combination, str] = {}
        for each in sorted(combinations, key=lambda each: each.options.checks is Checks.OFF):
            text = self._text(each)
            keys[each] = without_checks(text)
            texts.setdefault(keys[each], text)
        found = dict(zip(texts, self._outcomes(list(texts.values())), strict=True))
        self.counted["texts explored for them"] += len(texts)
        again: list[Combination] = []
        for each, key in keys.items():
            got = found[key]
            if got is None:
                self.counted["too many states"] += 1
            elif self._needs_more_rounds(each, got):
                again.append(with_more_rounds(each))
                self._tell(each, got, Shows.SOME)
            else:
                self._tell(each, got, each.shows)
        return again

    def _outcomes(self, texts: list[str]) -> list[Outcomes | None]:
        """None: there are too many states."""
        try:
            return list(of_texts(texts, self.original.data_model, self.names, MOST, self.folder))
        except TooManyStates:
            return [None] if len(texts) == 1 else [self._outcomes([text])[0] for text in texts]

    # --- run ---------------------------------------------------------------------------------------------------------

    def _run(self, combinations: list[Combination]) -> None:
        if self.original.data_model is DataModel.ILP32:
            self.counted["not run, because of 32 bits"] += len(combinations)
            return
        texts = [self._text(each) for each in combinations]
        found = runs(texts, self.names, self.folder, SEEDS) if texts else []
        for combination, got in zip(combinations, found, strict=True):
            self.counted["no other outcomes of runs"] += 1
            self._tell(combination, got, combination.shows)

    # --- compared ----------------------------------------------------------------------------------------------------

    def _finals(self, got: Outcomes) -> set[Values]:
        """What the original leaves in the variables that a text has: it has none that nobody uses."""
        names = {name for values in got.finals for name, _ in values} if got.finals else self.names
        return {tuple(pair for pair in values if pair[0] in names) for values in self.expected.finals}

    def _needs_more_rounds(self, combination: Combination, got: Outcomes) -> bool:
        if combination.shows is not Shows.ALL_IN_THE_END or combination.options.rounds == ENOUGH:
            return False
        whole = got.errors == self.expected.errors and got.finals == self._finals(got)
        return not whole and BEYOND not in got.errors

    def _tell(self, combination: Combination, got: Outcomes, shows: Shows) -> None:
        expected, finals = self.expected, self._finals(got)
        whole = shows is not Shows.SOME and BEYOND not in got.errors
        self.counted["same outcomes" if whole else "no other outcomes, within a bound"] += not is_run(combination)
        found = [f"error in line {line}, which is none" for line in sorted(got.errors - expected.errors - {BEYOND})]
        found += [f"no error in line {line}" for line in sorted(expected.errors - got.errors) if whole]
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


def compared(
    source: str, model: DataModel, limit: int, combinations: Sequence[Combination] | None = None
) -> Comparison:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        original = read(folder / "original.c", source, model)
        names = integers(original) - {"pc"}
        try:
            expected = of_original(original, names, limit)
        except TooManyStates:
            raise PassedOver("too many states") from None
        if expected.undefined:
            raise PassedOver("undefined behaviour, or unsupported")
        if expected.wide:
            raise PassedOver("choices of too many values")
        found = Comparison(original, names, expected, folder)
        found.compare(accepted() if combinations is None else combinations)
        return found


def main() -> int:
    parser = seeds_parser(__doc__)
    parser.add_argument("--limit", type=int, default=3_000, help="states of the original; larger ones are passed over")
    options = parser.parse_args()
    programs, wrong, passed, counted = 0, 0, Counter[str](), Counter[str]()
    for seed in range(options.first, options.last):
        source = SHAPES[options.shape](seed)
        try:
            found = compared(source, data_model(seed), options.limit)
        except PassedOver as reason:
            passed[str(reason)] += 1
            continue
        except InputError as error:
            print(f"--- seed {seed}: {error}", source, sep="\n", flush=True)
            wrong += 1
            continue
        programs += 1
        counted += found.counted
        wrong += bool(found.differences)
        if found.differences:
            print(f"--- seed {seed}", *found.differences, source, sep="\n", flush=True)
    print(f"{programs} programs, {len(accepted())} combinations, {wrong} programs differ; combinations:")
    for what, number in sorted(counted.items()):
        print(f"  {what}: {number}")
    for reason, number in sorted(passed.items()):
        print(f"  programs passed over, {reason}: {number}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
