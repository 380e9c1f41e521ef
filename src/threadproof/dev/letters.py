"""Which programs of a corpus have a formula for every letter, what the others lack, and how long it takes:

    python -m threadproof.dev.letters CORPUS [--folder NAME]... [--property NAME] [--instances N] [--most N]

`CORPUS` has an `INDEX.csv` with columns path, property and data_model. A program is covered if every letter of every
template has a transition. Traps `NotEncoded` are counted apart: there is a formula, and it says where it gives up.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from threadproof.automaton import CannotUnfold, Instance, Letter, program_automaton
from threadproof.core.errors import ThreadproofError
from threadproof.core.property import Property
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder, Space
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel, Program
from threadproof.portfolio import prepare
from threadproof.smt.terms import Terms


@dataclass(slots=True)
class LetterCoverage:
    letters: int = 0
    lacking: Counter[str] = field(default_factory=Counter[str])  # letters without a formula, by reason
    limits: Counter[str] = field(default_factory=Counter[str])  # traps where only the formula gives up
    seconds: float = 0.0  # automaton, variables and all transitions

    @property
    def reason(self) -> str:
        """The most common one, or nothing."""
        return self.lacking.most_common(1)[0][0] if self.lacking else ""


def coverage(program: Program, instances: int = 2) -> LetterCoverage:
    found, started = LetterCoverage(), time.process_time()
    try:
        automaton = program_automaton(program)
        space = Space(Terms(), program, automaton, dict.fromkeys(automaton.templates, instances))
    except (CannotUnfold, CannotEncode) as refusal:
        found.lacking[str(refusal)] += 1
    else:
        encoder = Encoder(space)
        for letter in automaton.letters:
            found.letters += 1
            try:
                transition = encoder.transition(Instance(letter.template, 0), letter, starts(letter))
            except CannotEncode as refusal:
                found.lacking[str(refusal)] += 1
            else:
                found.limits.update({t.what.reason for t in transition.traps if isinstance(t.what, NotEncoded)})
    found.seconds = time.process_time() - started
    return found


def starts(letter: Letter) -> tuple[Instance, ...]:
    """The first instances of the templates that it forks."""
    return tuple(Instance(name, letter.forks[:index].count(name)) for index, name in enumerate(letter.forks))


def tasks(corpus: Path, prop: str, folders: list[str]) -> Iterator[tuple[str, Path, DataModel]]:
    with (corpus / "INDEX.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            path = corpus / row["path"]
            if row["property"] == prop and (not folders or path.parent.name in folders):
                yield path.parent.name, path, DataModel[row["data_model"]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--folder", action="append", default=[])
    parser.add_argument("--property", default=Property.UNREACH_CALL.value)
    parser.add_argument("--instances", type=int, default=2)
    parser.add_argument("--most", type=int, default=10_000, help="programs of a folder")
    options = parser.parse_args()
    table: dict[str, list[LetterCoverage]] = {}
    lacking, limits = Counter[str](), Counter[str]()
    for folder, path, model in tasks(options.corpus, options.property, options.folder):
        rows = table.setdefault(folder, [])
        if len(rows) >= options.most:
            continue
        try:
            program = prepare([str(path)], Property(options.property), FrontendOptions(data_model=model))
            found = coverage(program, options.instances)
        except ThreadproofError as error:
            found = LetterCoverage(lacking=Counter([f"{type(error).__name__}: {error}"[:100]]))
        rows.append(found)
        lacking[found.reason] += 1
        limits.update(found.limits.keys())
        print(
            f"{found.seconds:6.2f} s {found.letters:6} letters {path.parent.name}/{path.name} {found.reason}",
            flush=True,
        )
    for folder, rows in table.items():
        covered, seconds = sum(not row.lacking for row in rows), [row.seconds for row in rows]
        letters = sum(row.letters for row in rows)
        print(
            f"{folder}: {covered} of {len(rows)} programs, {letters} letters, "
            f"{sum(seconds) / len(rows):.2f} s per program, at most {max(seconds):.2f} s"
        )
    print(*(f"{count:6} lack: {why}" for why, count in lacking.most_common() if why), sep="\n")
    print(*(f"{count:6} limit: {why}" for why, count in limits.most_common()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
