"""One case, both opinions: what the real machine does, and what Threadproof says about it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from library_case import Case, Kind, Observed
from library_model import Image, Said
from library_native import Checker, faulty, observe

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.ir.program import DataModel
from threadproof.sync.rows import Fidelity
from threadproof.sync.table import TABLE

TOGETHER = 40  # cases compiled as one text
_THREADS = ("pthread_create", "thrd_create")


@dataclass(slots=True)
class Outcome:
    """`differences` are sentences; `unsupported` is the model's reason to say nothing."""

    case: Case
    differences: list[str] = field(default_factory=list[str])
    unsupported: str = ""
    doubts: list[str] = field(default_factory=list[str])  # about the case, not about the model


def compare(
    cases: Iterable[Case], folder: Path, model: DataModel = DataModel.LP64, by: Sequence[Checker] = ()
) -> Iterator[Outcome]:
    """Cases of one kind go together: those that hang have a limit of their own, and threads of other cases would make
    accesses of single-threaded ones visible. `by`: who checks memory on the real machine."""
    given = list(cases)
    for kind, threads in itertools.product(Kind, (False, True)):
        alike = [case for case in given if case.kind is kind and _has_threads(case) is threads]
        for start in range(0, len(alike), TOGETHER):
            yield from _compared(alike[start : start + TOGETHER], folder, model, by)


def _compared(cases: Sequence[Case], folder: Path, model: DataModel, by: Sequence[Checker]) -> Iterator[Outcome]:
    observed = observe(cases, folder)
    hang = cases[0].kind is Kind.HANGS
    checked = {} if hang else {checker: observe(cases, folder, checker) for checker in by}
    cases = [
        _decided(case, observed[number], [found[number] for found in checked.values()])
        for number, case in enumerate(cases)
    ]
    image = Image(cases, observed, folder, model)
    for number, (case, seen) in enumerate(zip(cases, observed, strict=True)):
        outcome = Outcome(case)
        _doubt(outcome, seen, {checker: found[number] for checker, found in checked.items()})
        match case.kind:
            case Kind.SAFE:
                _ask_safe(outcome, image, number)
            case Kind.ASK:
                _ask_untouched(outcome, image, number)
            case Kind.UNSAFE:
                _ask_unsafe(outcome, image, number)
            case Kind.HANGS:
                _ask_hanging(outcome, image, number)
        yield outcome


def _decided(case: Case, seen: Observed, checked: Sequence[Observed]) -> Case:
    """A function that hangs, or is found to err, looks at the bad pointer it was given."""
    looks = seen.how == "hang" or any(map(faulty, checked))
    return replace(case, kind=Kind.UNSAFE) if case.kind is Kind.ASK and looks else case


def _doubt(outcome: Outcome, seen: Observed, checked: dict[Checker, Observed]) -> None:
    """A case that is not what its author believes would compare nothing."""
    found = [checker for checker, other in checked.items() if faulty(other)]
    match outcome.case.kind:
        case Kind.SAFE | Kind.ASK:
            if seen.how in ("signal", "hang"):
                outcome.doubts.append(f"ends by {seen.how} {seen.code} natively")
            outcome.doubts += [f"{checker.value} finds an error" for checker in found]
        case Kind.UNSAFE:
            if checked and not found and seen.how not in ("signal", "hang"):
                outcome.doubts.append("nothing on the real machine finds the error")
        case Kind.HANGS:
            if seen.how != "hang":
                outcome.doubts.append(f"does not hang natively: {seen.how}")


def _ask_safe(outcome: Outcome, image: Image, number: int) -> None:
    forward = image.ask(f"forward_{number}", Property.UNREACH_CALL)
    if _more(outcome.case):
        forward = Said(Verdict.TRUE) if forward.verdict is Verdict.FALSE else forward
    _expect(outcome, "observations", Verdict.TRUE, forward)
    if outcome.unsupported:
        return
    backward = image.ask(f"backward_{number}", Property.UNREACH_CALL)
    _expect(outcome, "the real behaviour among the model's", Verdict.FALSE, backward)
    for prop in _others(outcome.case):
        _expect(outcome, str(prop), Verdict.TRUE, image.ask(f"plain_{number}", prop))


def _ask_untouched(outcome: Outcome, image: Image, number: int) -> None:
    """The real function does not look at the bad pointer. To look all the same is right: it must be a good one."""
    if image.ask(f"plain_{number}", Property.VALID_MEMSAFETY).verdict is not Verdict.FALSE:
        _ask_safe(outcome, image, number)


def _others(case: Case) -> Iterator[Property]:
    yield Property.VALID_MEMSAFETY
    yield Property.NO_OVERFLOW
    if _has_threads(case):
        yield Property.NO_DEADLOCK


def _has_threads(case: Case) -> bool:
    return any(name in case.body for name in _THREADS)


def _ask_unsafe(outcome: Outcome, image: Image, number: int) -> None:
    _expect(outcome, "valid-memsafety", Verdict.FALSE, image.ask(f"plain_{number}", Property.VALID_MEMSAFETY))
    silent = image.ask(f"plain_{number}", Property.UNREACH_CALL)
    if silent.verdict is Verdict.TRUE:
        outcome.differences.append("unreach-call: true in spite of undefined behaviour")


def _ask_hanging(outcome: Outcome, image: Image, number: int) -> None:
    _expect(outcome, "no-deadlock", Verdict.FALSE, image.ask(f"plain_{number}", Property.NO_DEADLOCK))


def _expect(outcome: Outcome, what: str, wanted: Verdict, said: Said) -> None:
    unseen = said.reason.startswith("not all values") and wanted is Verdict.TRUE
    if said.verdict is wanted or (unseen and _more(outcome.case)):
        return
    if said.unsupported:
        outcome.unsupported = said.reason
    else:
        because = f" ({said.reason})" if said.reason else ""
        outcome.differences.append(f"{what}: {said.verdict}{because}, not {wanted}")


def _more(case: Case) -> bool:
    row = TABLE.get(case.function)
    return case.among or (row is not None and row.fidelity is Fidelity.MORE)
