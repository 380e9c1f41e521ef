"""What can come of a program, and of the texts made from it.

An outcome is a source line where an error can be reached, or the values of the global integers when all threads have
ended: main by returning, or by pthread_exit, in which case the last thread to end ends the program, or one by exit.

The original is explored by brute force with `Machine.step`, nothing believed about who shares what; if that is too
much and the caller says so, by the native search without any reduction. Texts are explored by the native search.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from brute_force import TooManyStates, everything_shared, object_bytes
from sequential_merged import merged
from sequential_native import Ends, explored

from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.ir.ctypes import CArray, CRecord, CType, Enumeration, Scalar
from threadproof.ir.instr import HaltKind
from threadproof.ir.program import DataModel, Lifetime, Mutability, Program
from threadproof.portfolio.prepare import prepare
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Choose, Failed, Finished, Moved, NotSupported, Outcome, UndefinedBehaviour
from threadproof.semantics.run import Granularity, Spurious
from threadproof.semantics.state import Phase, State

Values = tuple[tuple[str, bytes | None], ...]
"""Names of globals and their bytes; None: some are arbitrary."""


@dataclass(slots=True)
class Outcomes:
    errors: set[int] = field(default_factory=set[int])  # lines of the original, and BEYOND
    finals: set[Values] = field(default_factory=set[Values])
    undefined: set[str] = field(default_factory=set[str])
    wide: bool = False  # there was a choice of too many values to try them all
    uninitialised: bool = False  # something was read that had not been written


def read(path: Path, text: str, model: DataModel) -> Program:
    path.write_text(text, encoding="utf-8")
    options = FrontendOptions(data_model=model, defines=("CHECK_BOUNDS",))
    return prepare([str(path)], Property.UNREACH_CALL, options)


def integers(program: Program) -> set[str]:
    """Global variables that hold plain numbers: handles and addresses are not the same in both programs."""

    def plain(ctype: CType | None) -> bool:
        match ctype:
            case CArray():
                return plain(ctype.element)
            case CRecord():
                return not _is_of_library(ctype.name) and all(plain(member.type) for member in ctype.members)
            case Scalar():
                return not _is_of_library(ctype.name)
            case Enumeration():
                return True
            case _:
                return False

    variables = [v for v in program.globals.values() if v.lifetime is Lifetime.PROGRAM]
    return {v.name for v in variables if v.mutability is Mutability.VARIABLE and plain(v.ctype)}


def _is_of_library(name: str) -> bool:
    return name.startswith(("pthread_", "thrd_", "mtx_", "cnd_", "sem_", "once_", "tss_", "atomic_flag"))


# --- the original, by brute force ------------------------------------------------------------------------------------


def of_original(program: Program, names: set[str], limit: int) -> Outcomes:
    machine = Machine(everything_shared(program), Granularity.VISIBLE, Spurious.ON)
    found = Outcomes()
    for outcome in _all_steps(machine, found, limit):
        match outcome:
            case Failed():
                found.errors.add(outcome.loc.line)
            case Finished() if _all_ended(outcome):
                found.finals.add(_values(machine, outcome.state, names))
            case UndefinedBehaviour():
                found.undefined.add(outcome.kind.value)
            case NotSupported():
                found.undefined.add(outcome.construct)
            case _:
                pass
    return found


def _all_ended(end: Finished) -> bool:
    """Of the thread that ends the program nobody says that it ended."""
    live = [thread for thread in end.state.threads.values() if thread.phase is not Phase.FINISHED]
    return end.kind is not HaltKind.ABORT and len(live) <= 1


def _all_steps(machine: Machine, found: Outcomes, limit: int) -> Iterator[Outcome]:
    start = machine.initial()
    seen, todo = {start.key()}, deque([start])
    while todo:
        state = todo.popleft()
        for number, thread in state.threads.items():
            if thread.phase is Phase.FINISHED:
                continue
            for outcome in _steps(machine, state, number, found):
                yield outcome
                if isinstance(outcome, Moved) and outcome.state.key() not in seen:
                    seen.add(outcome.state.key())
                    todo.append(outcome.state)
        if len(seen) > limit:
            raise TooManyStates(f"more than {limit} states")


def _steps(machine: Machine, state: State, number: int, found: Outcomes) -> Iterator[Outcome]:
    todo: list[tuple[int, ...]] = [()]
    while todo:
        choices = todo.pop()
        outcome = machine.step(state, number, choices)
        if not isinstance(outcome, Choose):
            yield outcome
            continue
        found.uninitialised |= outcome.source.startswith("uninitialised")
        found.wide |= outcome.high - outcome.low >= 256 and not outcome.values
        values = outcome.values or range(outcome.low, min(outcome.high, outcome.low + 255) + 1)
        todo.extend((*choices, value) for value in values)


def _values(machine: Machine, state: State, names: set[str]) -> Values:
    found: list[tuple[str, bytes | None]] = []
    for name in sorted(names):
        data, mask = object_bytes(machine, state, machine.layout.globals[name], machine.program.globals[name].size)
        found.append((name, None if any(mask) else data))
    return tuple(found)


# --- by the native search --------------------------------------------------------------------------------------------


def of_large_original(program: Program, names: set[str], limit: int) -> Outcomes:
    found = Outcomes()

    def enter(ends: Ends) -> None:
        found.errors |= {ends.line} if ends.line is not None else set()
        found.undefined |= {ends.undefined} if ends.undefined else set()
        if ends.halt in (HaltKind.RETURN, HaltKind.EXIT) and ends.live() <= 1:
            found.finals.add(tuple((name, ends.content(name)) for name in sorted(names)))

    found.wide = explored(everything_shared(program), enter, limit)
    return found


_CHOICE = "which"
_ROUNDS = re.compile(r"assume\(round <= (\d+)\);")


def of_texts(texts: Sequence[str], model: DataModel, names: set[str], limit: int, folder: Path) -> list[Outcomes]:
    """All in one program, which first chooses the text to be. Texts that differ in the number of rounds alone, or in
    comments, are one."""
    alike = [re.sub(r"^//.*\n", "", _ROUNDS.sub("assume(round <= rounds);", text), flags=re.M) for text in texts]
    together = merged(different := list(dict.fromkeys(alike)))
    one_of = [different.index(text) for text in alike]
    cases = [_case(which, text, one_of[which]) for which, text in enumerate(texts)]
    declared = [f"static int t{n}_rounds;" for n, text in enumerate(different) if "round <= rounds" in text]
    declared.append(f"unsigned char {_CHOICE}; extern unsigned char __VERIFIER_nondet_uchar(void);")
    choose = f"{_CHOICE} = __VERIFIER_nondet_uchar(); switch ({_CHOICE}) {{ {' '.join(cases)} }}"
    source = [*declared, *together.text.splitlines(), f"int main(void) {{ {choose} return 0; }}", ""]
    program = read(folder / "texts.c", "\n".join(source), model)
    found = [Outcomes() for _ in texts]
    known = [sorted(name for name in names if f"t{n}_{name}" in program.globals) for n in one_of]

    def enter(ends: Ends) -> None:
        which = int.from_bytes(ends.bytes_of(_CHOICE), "little")
        if which >= len(texts):
            return
        outcomes, prefix = found[which], f"t{one_of[which]}_"
        if ends.line is not None:
            outcomes.errors.add(together.origin[ends.line - len(declared)][1])
        elif ends.undefined:
            outcomes.undefined.add(ends.undefined)
        elif ends.halt is not None:
            counters = ends.bytes_of(f"{prefix}pc")
            pcs = [int.from_bytes(counters[at : at + 4], "little", signed=True) for at in range(0, len(counters), 4)]
            if sum(pc > 0 for pc in pcs) <= (ends.halt is HaltKind.RETURN):
                outcomes.finals.add(tuple((name, ends.content(prefix + name)) for name in known[which]))

    wide = explored(program, enter, limit)
    for each in found:
        each.wide = wide
    return found


def _case(which: int, text: str, number: int) -> str:
    rounds = _ROUNDS.search(text)
    begin = f"t{number}_rounds = {rounds[1]}; " if rounds else ""
    return f"case {which}: {begin}return t{number}_main();"
