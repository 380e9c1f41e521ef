"""SV-COMP witnesses on the command line: `verify --witness FILE`, and `replay` with a witness."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING

import click

from threadproof.cli.main import ExitCode
from threadproof.cli.options import Reading, require_writable, write_text
from threadproof.core.errors import InputError
from threadproof.core.files import require_readable
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property, in_formula, parse_property
from threadproof.core.result import Answer, Verdict

if TYPE_CHECKING:
    from threadproof.frontend import FrontendOptions
    from threadproof.witness.model import CorrectnessWitness, ViolationWitness

GRAPHML = (".graphml", ".xml")
YAML = (".yml", ".yaml")
PROBLEMS = 5
"""Told of a witness that breaks rules of its format."""


class OfOthers(Enum):
    """A witness whose hashes are those of another program."""

    REFUSED = auto()
    TAKEN = auto()


def is_witness(file: str) -> bool:
    return file.endswith((*GRAPHML, *YAML))


def require_format(file: str) -> None:
    if not is_witness(file):
        raise InputError(f"--witness {file}: the name says the format: .graphml (format 1.0) or .yml (format 2)")
    require_writable(file)


def written(file: str, answers: list[Answer], files: Sequence[str], frontend: FrontendOptions) -> list[Answer]:
    """The answers, with a note at the one that has a witness, or why none has. It is for the first `false`, or else for
    the first `true`."""
    for index, answer in enumerate(answers):
        if answer.verdict is not Verdict.FALSE or answer.trace is None:
            continue
        if answer.trace.model is not MemoryModel.SC:
            return _noted(
                answers, index, f"no witness: the format knows no executions under {answer.trace.model.value}"
            )
        write_text(file, _violation(file, answer, files, frontend))
        return _noted(answers, index, f"witness of the violation: {file}")
    for index, answer in enumerate(answers):
        if answer.verdict is Verdict.TRUE and answer.memory_model is MemoryModel.SC:
            write_text(file, _correctness(file, answer, files, frontend))
            return _noted(answers, index, f"witness of correctness: {file}")
    return _noted(answers, 0, "no witness: nothing was shown to be true or false")


def _noted(answers: list[Answer], index: int, said: str) -> list[Answer]:
    noted = replace(answers[index], notes=(*answers[index].notes, said))
    return [*answers[:index], noted, *answers[index + 1 :]]


def _correctness(file: str, answer: Answer, files: Sequence[str], frontend: FrontendOptions) -> str:
    from threadproof.invariants.of_answer import invariants_of
    from threadproof.witness.correctness import correctness_graphml, correctness_yaml
    from threadproof.witness.task import WitnessTask

    witness = invariants_of(answer, files, frontend)
    task = WitnessTask(tuple(files), answer.property, frontend.data_model.value)
    return correctness_graphml(witness, task) if file.endswith(GRAPHML) else correctness_yaml(witness, task)


def _violation(file: str, answer: Answer, files: Sequence[str], frontend: FrontendOptions) -> str:
    from threadproof.portfolio import prepare
    from threadproof.witness.graphml import graphml_text
    from threadproof.witness.of_trace import witnessed_run
    from threadproof.witness.task import WitnessTask
    from threadproof.witness.yaml_text import yaml_text

    assert answer.trace is not None
    program = prepare(list(files), answer.property, frontend)
    run = witnessed_run(program, answer.property, answer.trace, files)
    task = WitnessTask(tuple(files), answer.property, frontend.data_model.value)
    return graphml_text(run, task) if file.endswith(GRAPHML) else yaml_text(run, task)


# --- replay ----------------------------------------------------------------------------------------------------------


def replay_witness(
    file: str, files: Sequence[str], wanted: str | None, timeout: float, reading: Reading, of_others: OfOthers
) -> int:
    from threadproof.witness.correctness import is_correctness, read_correctness
    from threadproof.witness.model import CorrectnessWitness
    from threadproof.witness.rules import broken_rules
    from threadproof.witness.source_text import SourceTexts
    from threadproof.witness.task import is_about_others

    require_readable(file)
    correctness = is_correctness(file)
    witness = read_correctness(file, SourceTexts(files)) if correctness else _read(file, files)
    prop = _property(file, witness, wanted)
    if of_others is OfOthers.REFUSED and is_about_others(witness.hashes, files):
        click.echo(
            f"not confirmed: the witness is about another program: its SHA-256 is not that of {', '.join(files)}\n"
            "  (it may have been edited since; --other-program takes the witness all the same)"
        )
        return ExitCode.UNKNOWN
    for rule in broken_rules(file, files)[:PROBLEMS]:
        click.echo(f"note: the witness breaks a rule of its format: {rule}", err=True)
    if witness.data_model in ("ILP32", "LP64") and witness.data_model != reading.data_model:
        click.echo(f"note: the witness is for --data-model {witness.data_model}, which is taken", err=True)
        reading = replace(reading, data_model=witness.data_model)
    if isinstance(witness, CorrectnessWitness):
        return _proved_again(witness, prop, files, timeout, reading)
    return _followed(witness, prop, files, timeout, reading)


def _followed(
    witness: ViolationWitness, prop: Property, files: Sequence[str], timeout: float, reading: Reading
) -> ExitCode:
    from threadproof import portfolio
    from threadproof.core.budget import Budget
    from threadproof.report.terminal import print_trace
    from threadproof.witness.follow import Confirmed, follow

    program = portfolio.prepare(list(files), prop, reading.options("pure"))
    found = follow(program, prop, witness, files, Budget(timeout))
    if isinstance(found, Confirmed):
        print_trace(prop, found.trace)
        click.echo(f"confirmed: an execution along the witness violates {prop}")
        return ExitCode.FALSE
    click.echo(f"not confirmed ({found.why}): {found.passed} of {len(witness.segments)} segments were passed")
    if found.elsewhere is not None:
        click.echo(f"There is a violation off the way of the witness: {found.elsewhere.cause}")
    return ExitCode.UNKNOWN


def _proved_again(
    witness: CorrectnessWitness, prop: Property, files: Sequence[str], timeout: float, reading: Reading
) -> ExitCode:
    from threadproof.invariants.prove import CheckedProgram, ProvedAgain

    found = CheckedProgram(witness, files, reading.options("pure")).proved(prop, timeout)
    said = f"{len(witness.invariants)} invariant{'' if len(witness.invariants) == 1 else 's'}"
    if isinstance(found, ProvedAgain):
        how = ", with the invariants as predicates" if found.seeded else ""
        click.echo(f"confirmed: {prop} and {said} of the witness hold, proved by {found.answer.engine}{how}")
        for assumed in found.answer.assumptions:
            click.echo(f"  assuming {assumed}")
        return ExitCode.TRUE
    if found.broken is not None:
        broken = witness.invariants[found.broken]
        click.echo(f"not confirmed: {broken.value} does not always hold at line {broken.position.line}")
    else:
        click.echo(f"not confirmed ({said}): {found.why}")
    return ExitCode.UNKNOWN


def _read(file: str, files: Sequence[str]) -> ViolationWitness:
    from threadproof.witness.graphml import read_graphml
    from threadproof.witness.source_text import SourceTexts
    from threadproof.witness.yaml_text import read_yaml

    texts = SourceTexts(files)
    return read_graphml(file, texts) if file.endswith(GRAPHML) else read_yaml(file, texts)


def _property(file: str, witness: ViolationWitness | CorrectnessWitness, wanted: str | None) -> Property:
    if wanted is not None:
        return parse_property(wanted)
    found = in_formula(witness.specification)
    if found is None:
        shown = re.sub(r"\s+", " ", witness.specification)[:80] or "(none)"
        raise InputError(f"{file}: no property Threadproof knows: {shown}; name one with --property")
    return found
