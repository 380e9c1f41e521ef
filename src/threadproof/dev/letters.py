"""Which programs of a corpus have a formula for every letter, what the others lack, and how long it takes:

    python -m threadproof.dev.letters CORPUS [--folder NAME]... [--property NAME] [--instances N] [--most N]

`CORPUS` has an `INDEX.csv` with columns path, property and data_model. A program is covered if every letter of every
template has a transition. Traps `NotEncoded` are counted apart: there is a formula, and it says where it gives up.
Of each program: letters, per thread other than main (median), nodes of guard and updates of a letter (median and most),
scalars and arrays that letters speak of, traps of undefined behaviour.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from threadproof.automaton import CannotUnfold, Instance, Letter, for_letters, program_automaton
from threadproof.core.errors import ThreadproofError
from threadproof.core.graph import reached
from threadproof.core.property import Property
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder, Space
from threadproof.frontend import FrontendOptions
from threadproof.ir.instr import UndefinedKind
from threadproof.ir.program import DataModel, Program, Taken
from threadproof.portfolio import prepare
from threadproof.smt.term import Array, Term
from threadproof.smt.terms import Terms


@dataclass(slots=True)
class LetterCoverage:
    letters: int = 0
    lacking: Counter[str] = field(default_factory=Counter[str])  # letters without a formula, by reason
    limits: Counter[str] = field(default_factory=Counter[str])  # traps where only the formula gives up
    seconds: float = 0.0  # automaton, variables and all transitions
    per_thread: list[int] = field(default_factory=list[int])  # letters of each template but main
    sizes: list[int] = field(default_factory=list[int])  # nodes of guard and updates
    variables: set[Term] = field(default_factory=set[Term])
    traps: int = 0  # undefined behaviour

    @property
    def reason(self) -> str:
        """The most common one, or nothing."""
        return self.lacking.most_common(1)[0][0] if self.lacking else ""

    @property
    def summary(self) -> str:
        arrays = sum(isinstance(variable.sort, Array) for variable in self.variables)
        threads = median(self.per_thread) if self.per_thread else 0
        sizes = f"{median(self.sizes):.0f} to {max(self.sizes)}" if self.sizes else "no"
        return (
            f"{self.seconds:6.2f} s {self.letters:4} letters {threads:4} per thread, {sizes} nodes, "
            f"{len(self.variables) - arrays} scalars, {arrays} arrays, {self.traps} traps"
        )


def coverage(program: Program, prop: Property, instances: int = 2) -> LetterCoverage:
    found, started = LetterCoverage(), time.process_time()
    try:
        program = for_letters(program, prop)
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
                found.sizes.append(_nodes((transition.guard, *transition.updates.values())))
                found.variables |= transition.reads | transition.writes
                found.traps += sum(isinstance(t.what, UndefinedKind) for t in transition.traps)
        found.per_thread = [len(t.letters) for name, t in automaton.templates.items() if name != automaton.main]
    found.seconds = time.process_time() - started
    return found


def _nodes(roots: Iterable[Term]) -> int:
    return len(reached(roots, lambda term: term.args))


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
            prop = Property(options.property)
            program = prepare([str(path)], prop, FrontendOptions(data_model=model, undefined=Taken.PURE))
            found = coverage(program, prop, options.instances)
        except ThreadproofError as error:
            found = LetterCoverage(lacking=Counter([f"{type(error).__name__}: {error}"[:100]]))
        rows.append(found)
        lacking[found.reason] += 1
        limits.update(found.limits.keys())
        print(f"{found.summary}: {path.parent.name}/{path.name} {found.reason}", flush=True)
    for folder, rows in table.items():
        covered, seconds = sum(not row.lacking for row in rows), [row.seconds for row in rows]
        letters = sum(row.letters for row in rows)
        threads = [often for row in rows for often in row.per_thread]
        nodes = [size for row in rows for size in row.sizes]
        print(
            f"{folder}: {covered} of {len(rows)} programs, {letters} letters, median "
            f"{median(row.letters for row in rows)} per program, {median(threads or [0])} per thread, "
            f"{median(nodes or [0])} nodes; {sum(seconds) / len(rows):.2f} s per program, at most {max(seconds):.2f} s"
        )
    print(*(f"{count:6} lack: {why}" for why, count in lacking.most_common() if why), sep="\n")
    print(*(f"{count:6} limit: {why}" for why, count in limits.most_common()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
