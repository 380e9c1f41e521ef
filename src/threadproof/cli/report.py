"""`--report DIR`: answers, or an estimate, as one page, with the program in it where it can run there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from threadproof.cli.options import write_text
from threadproof.core.errors import InputError, ThreadproofError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.result import Answer, Verdict
from threadproof.core.trace import Trace
from threadproof.report.page import MOST_STEPS, PageAnswer, estimate_page, page

if TYPE_CHECKING:
    from threadproof.core.estimate import Estimate
    from threadproof.frontend import FrontendOptions

PAGE = "index.html"
LARGEST_DRAWING = 1_000_000  # signs: a larger one helps nobody


def require_folder(folder: str) -> None:
    """Asked before the work starts. The folder is made when there is something to put into it."""
    there = os.path.abspath(folder)
    while not os.path.lexists(there):
        there = os.path.dirname(there)
    if not os.path.isdir(there):
        raise InputError(f"cannot write into {folder}: {os.path.relpath(there)} is not a directory")
    if not os.access(there, os.W_OK):
        raise InputError(f"cannot write into {folder}: permission denied")


def write_report(folder: str, answers: Sequence[Answer], files: Sequence[str], frontend: FrontendOptions) -> str:
    """The path of the page."""
    pages = [_with_program(answer, files, frontend) for answer in answers]
    sources = {file: text for file in _named(answers, files) if (text := _text(file))}
    return _written(folder, page(pages, sources, " ".join(files)))


def write_estimate(folder: str, made: Estimate, files: Sequence[str]) -> str:
    """The path of the page of `smc`."""
    sources = {file: text for file in files if (text := _text(file))}
    return _written(folder, estimate_page(made, sources, " ".join(files)))


def _written(folder: str, text: str) -> str:
    path = os.path.join(folder, PAGE)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write into {folder}: {error.strerror}") from None
    write_text(path, text)
    return path


def _with_program(answer: Answer, files: Sequence[str], frontend: FrontendOptions) -> PageAnswer:
    from threadproof import portfolio

    if answer.trace is None:
        return PageAnswer(answer, drawing=_drawing(answer, files, frontend))
    try:
        program = portfolio.prepare(list(files), answer.property, frontend)
        from threadproof.evidence.replay import machine_for
        from threadproof.semantics.violations import spurious_for
        from threadproof.simulate.recorded import recorded

        machine = machine_for(program, answer.property, answer.trace.model)
        if answer.trace.model is not MemoryModel.SC or len(answer.trace.steps) > MOST_STEPS:
            return PageAnswer(answer)
        moments = recorded(machine, answer.property, answer.trace)
        from threadproof.codegen.runs.wasm import wasm_machine

        made = wasm_machine(program, spurious_for(answer.property, program))
        return PageAnswer(answer, moments, made.table, made.binary)
    except (ThreadproofError, NotImplementedError):  # the page then goes without the program
        return PageAnswer(answer)


def _drawing(answer: Answer, files: Sequence[str], frontend: FrontendOptions) -> str:
    """The threads' automata with what the proof says at their locations; nothing, if that is too much to look at."""
    if answer.proof is None or answer.verdict is not Verdict.TRUE:
        return ""
    from threadproof import portfolio
    from threadproof.automaton import CannotUnfold
    from threadproof.encoding.errors import CannotEncode
    from threadproof.invariants.by_location import told_by_location
    from threadproof.report.proof_drawing import draw_proof

    try:
        program = portfolio.prepare(list(files), answer.property, frontend)
        told = told_by_location(program, answer.property, answer.proof, answer.memory_model)
    except (CannotUnfold, CannotEncode):
        return ""
    texts = dict[str, list[str]]()

    def quote(file: str, line: int) -> str:
        lines = texts.setdefault(file, _text(file).splitlines())
        return lines[line - 1] if 0 < line <= len(lines) else ""

    drawn = draw_proof(told.automaton.templates.values(), told.at, quote)
    return drawn if len(drawn) < LARGEST_DRAWING else ""


def _named(answers: Sequence[Answer], files: Sequence[str]) -> list[str]:
    """The files that are given, and those that steps of counterexamples stand in."""
    found = dict.fromkeys(files)
    for answer in answers:
        found.update(dict.fromkeys(_of_trace(answer.trace)))
    return list(found)


def _of_trace(trace: Trace | None) -> list[str]:
    return [] if trace is None else [step.loc.file for step in trace.steps if step.loc.file]


def _text(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="replace") as source:
            return source.read()
    except OSError:
        return ""
