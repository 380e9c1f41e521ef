"""`threadproof show`: every value on the way from C to the automaton can be looked at."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from threadproof.cli.options import (
    CONTEXT,
    Reading,
    files_argument,
    out_option,
    reading_options,
    require_writable,
    write_text,
)
from threadproof.core.errors import InputError
from threadproof.core.property import Property, parse_property

if TYPE_CHECKING:
    from threadproof.ir.program import Program

STAGES = ("llvm", "ir", "normal", "automaton", "points-to", "dependence", "arg")
ARG_S = 60.0
"""For the abstract reachability graph."""
FORMATS = ("text", "dot", "svg")


@click.command(context_settings=CONTEXT)
@files_argument
@click.option("--stage", type=click.Choice(STAGES), default="ir", show_default=True, help="What to show.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How.")
@click.option("--function", "names", metavar="NAME", multiple=True, help="Only this function; repeatable.")
@click.option(
    "--property",
    "-p",
    "wanted",
    metavar="NAME",
    default="unreach-call",
    show_default=True,
    help="Read for this property.",
)
@out_option
@reading_options
def show(
    files: tuple[str, ...],
    stage: str,
    form: str,
    names: tuple[str, ...],
    wanted: str,
    out: str | None,
    reading: Reading,
) -> None:
    """Print a stage on the way from C to the automaton.

    llvm: what clang gives. ir: the program as read. normal: after the passes, as the engines see it for the property.
    points-to: the objects in memory with their parts, and what pointers in them point to (also as a drawing).
    automaton: threads as locations and letters (also as a drawing); * marks what other threads can notice.
    dependence: which letters of two threads swap, and who says so (also as a drawing of those that do not).
    arg: the abstract reachability graph of engine cegar as its search leaves it (also for Graphviz).
    """
    if out is not None:
        require_writable(out)
    text = _text(files, stage, form, names, parse_property(wanted), reading)
    if out is None:
        sys.stdout.write(text)
    else:
        write_text(out, text)


def _text(
    files: tuple[str, ...], stage: str, form: str, names: tuple[str, ...], prop: Property, reading: Reading
) -> str:
    if stage == "llvm":
        return _llvm(files, form, names, prop, reading)
    program = _program(files, stage, prop, reading)
    if stage == "automaton":
        return _automaton(program, form, names)
    if stage == "dependence":
        return _dependence(program, form, names)
    if stage == "arg":
        return _arg(program, form, names, prop)
    for name in names:
        if name not in program.functions:
            known = ", ".join(sorted(program.functions))
            raise InputError(f"no function '{name}' in {program.name}: choose one of {known}")
    if stage == "points-to":
        return _memory(program, form, names)
    chosen = [program.functions[name] for name in names or program.functions]
    if form == "svg":
        from threadproof.report.svg import draw

        return draw(chosen)
    from threadproof.ir import dot, printer

    if form == "dot":
        return dot.to_dot(chosen)
    return printer.show_program(program, names)


def _automaton(program: Program, form: str, names: tuple[str, ...]) -> str:
    from threadproof.automaton import CannotUnfold, program_automaton, text
    from threadproof.report.automaton_svg import draw_automaton

    try:
        templates = program_automaton(program).templates
    except CannotUnfold as reason:
        raise InputError(f"{program.name} has no finite automaton: {reason}") from reason
    for name in names:
        if name not in templates:
            raise InputError(f"no thread of {program.name} starts in '{name}': choose one of {', '.join(templates)}")
    chosen = [templates[name] for name in names or templates]
    return {"text": text.listing, "dot": text.to_dot, "svg": draw_automaton}[form](chosen)


def _dependence(program: Program, form: str, names: tuple[str, ...]) -> str:
    from threadproof.automaton import CannotUnfold, program_automaton
    from threadproof.encoding.errors import CannotEncode
    from threadproof.independence import dependence_text
    from threadproof.independence.dependence_table import dependence_table, open_swaps
    from threadproof.report.dependence_svg import draw_dependence

    if names:
        raise InputError("--function does not apply to the stage dependence")
    try:
        table = dependence_table(open_swaps(program, program_automaton(program)))
    except CannotUnfold as reason:
        raise InputError(f"{program.name} has no finite automaton: {reason}") from reason
    except CannotEncode as reason:
        raise InputError(f"{program.name} has no formulas: {reason}") from reason
    forms = {"text": dependence_text.listing, "dot": dependence_text.to_dot, "svg": draw_dependence}
    return forms[form](table)


def _arg(program: Program, form: str, names: tuple[str, ...], prop: Property) -> str:
    from threadproof.automaton import CannotUnfold
    from threadproof.core.budget import Budget
    from threadproof.core.observer import Silent
    from threadproof.core.result import Safe, Unsafe
    from threadproof.encoding.errors import CannotEncode
    from threadproof.engines.cegar.engine import drawn
    from threadproof.engines.task import Task

    if names or form == "svg":
        raise InputError("--function and the format svg do not apply to the stage arg")
    try:
        result, drawing = drawn(Task(program, prop), Budget(ARG_S), Silent())
    except (CannotUnfold, CannotEncode) as reason:
        raise InputError(f"{program.name} has no abstract reachability graph: {reason}") from reason
    if drawing is None:
        raise InputError(f"{program.name} has no abstract reachability graph")
    if form == "dot":
        return drawing.to_dot()
    ends = (
        "closed" if isinstance(result, Safe) else "an error is reached" if isinstance(result, Unsafe) else result.reason
    )
    return f"{drawing.listing()}{ends}\n"


def _llvm(files: tuple[str, ...], form: str, names: tuple[str, ...], prop: Property, reading: Reading) -> str:
    if form != "text":
        raise InputError(f"the stage llvm has no format {form}: only text")
    if names:
        raise InputError("--function does not apply to the stage llvm")
    from threadproof.frontend.loading import llvm_text
    from threadproof.portfolio.prepare import reading as reading_for

    text = llvm_text(list(files), reading_for(files, prop, reading.options()))
    return text if text.endswith("\n") else text + "\n"


def _memory(program: Program, form: str, names: tuple[str, ...]) -> str:
    from threadproof.analysis.memory.partition import Partition
    from threadproof.analysis.memory.partition_text import listing, nodes, to_dot
    from threadproof.analysis.points_to import analyse

    points_to = analyse(program)
    shown = nodes(Partition(program, points_to), points_to, names)
    if points_to.wild:
        raise InputError(f"{program.name} uses a pointer that may point anywhere: nothing is known about its memory")
    match form:
        case "svg":
            from threadproof.report.partition_svg import draw_partition

            return draw_partition(shown)
        case "dot":
            return to_dot(shown)
        case _:
            return listing(shown)


def _program(files: tuple[str, ...], stage: str, prop: Property, reading: Reading) -> Program:
    """Read as the engines read it: the property says how, and which passes follow."""
    from threadproof.portfolio.prepare import Readings, normal_form

    program = Readings(files, reading.options()).program(prop)
    return program if stage == "ir" else normal_form(program, prop)
