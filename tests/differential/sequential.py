"""Sequentialized programs against their originals, both explored without any reduction but what the text contains:

    PYTHONPATH=src python tests/differential/sequential.py FIRST LAST [--shape tiny|default|larger] [--limit STATES]

An outcome is a source line where an error can be reached, or the values of the global integers when main returns after
all threads have ended. Both programs must have the same outcomes. The last line counts programs, comparisons and
differences.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from brute_force import Explored, TooManyStates, _outcomes, global_values
from samples import SHAPES, data_model, seeds_parser

from threadproof.codegen.sequential import Checks, Options, Reduction, Refused, Staying, sequentialize
from threadproof.core.errors import InputError
from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.ir.ctypes import Array, CType, Enumeration, Scalar
from threadproof.ir.instr import HaltKind
from threadproof.ir.program import DataModel, Program
from threadproof.portfolio.prepare import prepare
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Failed, Finished, Moved, NotSupported, UndefinedBehaviour
from threadproof.semantics.run import Granularity, Spurious
from threadproof.semantics.state import Phase, State

COMBINATIONS = {
    "none": Options(Reduction.NONE),
    "local": Options(Reduction.LOCAL),
    "local by assumptions": Options(Reduction.LOCAL, Staying.ASSUME),
    "conflict": Options(Reduction.CONFLICT),
    "full": Options(Reduction.FULL),
    "full, checked": Options(Reduction.FULL, checks=Checks.ON),
}
Values = tuple[tuple[str, Any], ...]


@dataclass(slots=True)
class Outcomes:
    errors: set[int] = field(default_factory=set[int])
    finals: set[Values] = field(default_factory=set[Values])
    undefined: bool = False
    states: int = 0


def integers(program: Program) -> set[str]:
    """Global variables that hold plain numbers: handles and addresses are not the same in both programs."""

    def plain(ctype: CType | None) -> bool:
        match ctype:
            case Array():
                return plain(ctype.element)
            case Scalar():
                return not ctype.name.startswith(("pthread_", "thrd_"))
            case Enumeration():
                return True
            case _:
                return False

    return {name for name, variable in program.globals.items() if plain(variable.ctype)}


def explore(program: Program, names: set[str], limit: int) -> Outcomes:
    machine = Machine(program, Granularity.VISIBLE, Spurious.ON)
    start = machine.initial()
    seen, todo, found, ignored = {start.key()}, deque([start]), Outcomes(), Explored()
    while todo:
        state = todo.popleft()
        alive = [number for number, thread in state.threads.items() if thread.phase is not Phase.FINISHED]
        for number in alive:
            for outcome in _outcomes(machine, state, number, ignored):
                match outcome:
                    case Moved() if outcome.state.key() not in seen:
                        seen.add(outcome.state.key())
                        todo.append(outcome.state)
                    case Failed():
                        found.errors.add(outcome.loc.line)
                    case Finished(kind=HaltKind.RETURN):
                        _end(machine, outcome.state, names, found)
                    case UndefinedBehaviour() | NotSupported():
                        found.undefined = True
                    case _:
                        pass
        if len(seen) > limit:
            raise TooManyStates(f"more than {limit} states")
    found.undefined |= ignored.guessed
    found.states = len(seen)
    return found


def _end(machine: Machine, state: State, names: set[str], found: Outcomes) -> None:
    if any(number and thread.phase is not Phase.FINISHED for number, thread in state.threads.items()):
        return
    values = dict(global_values(machine, state))
    if "pc" in values and not _all_ended(list(values["pc"]), machine.program.data_model):
        return
    found.finals.add(tuple((name, values[name]) for name in sorted(names) if name in values))


def _all_ended(words: list[int], model: DataModel) -> bool:
    """Whether the counters of all threads but main say that they ended, or never began."""
    data = b"".join(word.to_bytes(model.pointer_bytes, "little") for word in words)
    pcs = [int.from_bytes(data[at : at + 4], "little", signed=True) for at in range(4, len(data), 4)]
    return all(pc <= 0 for pc in pcs)


def source_lines(text: str) -> dict[int, int]:
    """For each line of the generated program, the line of the original its nearest comment names."""
    found, current = dict[int, int](), 0
    for number, line in enumerate(text.splitlines(), start=1):
        comment = re.search(r"// (\d+)(?::|$)", line)
        current = int(comment[1]) if comment else current
        found[number] = current
    return found


def differences(source: str, model: DataModel, limit: int, combinations: dict[str, Options]) -> list[str]:
    """What is not the same, by combination. Raises TooManyStates for the original, and passes over the others."""
    with tempfile.TemporaryDirectory() as folder:
        original = read(Path(folder) / "original.c", source, model)
        names = integers(original)
        expected = explore(original, names, limit)
        found: list[str] = []
        for name, options in combinations.items():
            text = sequentialize(original, options).text
            program = read(Path(folder) / "sequential.c", text, model)
            try:
                got = explore(program, names & integers(program), 40 * limit)
            except TooManyStates:
                continue
            found += [f"{name}: {what}" for what in compared(expected, got, source_lines(text))]
        return found


def read(path: Path, text: str, model: DataModel) -> Program:
    path.write_text(text, encoding="utf-8")
    options = FrontendOptions(data_model=model, defines=("CHECK_BOUNDS",))
    return prepare([str(path)], Property.UNREACH_CALL, options)


def compared(expected: Outcomes, got: Outcomes, lines: dict[int, int]) -> list[str]:
    errors = {lines[line] for line in got.errors}
    if 0 in errors:  # before any comment: `beyond`, where nothing is known
        return []
    found: list[str] = []
    if errors != expected.errors and not (expected.undefined or got.undefined):
        found.append(f"errors in lines {sorted(errors)} instead of {sorted(expected.errors)}")
    if got.finals != expected.finals and not (expected.undefined or got.undefined):
        found.append(f"finals: {len(got.finals - expected.finals)} new, {len(expected.finals - got.finals)} missing")
    return found


def main() -> int:
    parser = seeds_parser(__doc__)
    parser.add_argument("--limit", type=int, default=2_000, help="states of the original; larger ones are passed over")
    options = parser.parse_args()
    programs, wrong, passed = 0, 0, 0
    for seed in range(options.first, options.last):
        source = SHAPES[options.shape](seed)
        try:
            found = differences(source, data_model(seed), options.limit, COMBINATIONS)
        except TooManyStates:
            passed += 1
            continue
        except (InputError, Refused) as error:
            found = [f"refused: {error}"]
        programs += 1
        wrong += bool(found)
        if found:
            print(f"--- seed {seed}", *found, source, sep="\n", flush=True)
    print(f"{programs} programs, {len(COMBINATIONS)} combinations, {wrong} differ, {passed} too large")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
