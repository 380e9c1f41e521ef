"""`threadproof simulate`: step through a program by hand, on a terminal or from a script."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from threadproof.cli.main import ExitCode
from threadproof.cli.options import CONTEXT, Reading, files_argument, reading_options
from threadproof.core.errors import InputError
from threadproof.core.files import require_readable
from threadproof.core.property import Property, parse_property

if TYPE_CHECKING:
    from threadproof.semantics.machine import Machine
    from threadproof.simulate.files import Recorded
    from threadproof.simulate.session import Session

GRANULARITIES = ("visible", "instruction")


@click.command(context_settings=CONTEXT)
@files_argument
@click.option("--granularity", type=click.Choice(GRANULARITIES), help="What one step is.  [default: visible]")
@click.option("--property", "-p", "wanted", metavar="NAME", help="The form of the program to step through.")
@click.option("--trace", metavar="FILE", help="Enter at a counterexample, a level of splitting, or what `save` wrote.")
@click.option("--level", type=click.IntRange(min=1), help="Which level of splitting.  [default: the last]")
@click.option("--at", type=click.Choice(("start", "end")), default="start", show_default=True, help="Where in it.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of random steps.")
@click.option("--command", "-c", "commands", metavar="TEXT", multiple=True, help="Do this and print; repeatable.")
@reading_options
def simulate(
    files: tuple[str, ...],
    granularity: str | None,
    wanted: str | None,
    trace: str | None,
    level: int | None,
    at: str,
    seed: int,
    commands: tuple[str, ...],
    reading: Reading,
) -> int:
    """Step through the program that FILE... make together.

    On a terminal this is a screen with a command line; `help` lists its commands. In a pipe, commands are read
    from stdin, one a line, and answered in plain text; a command that cannot be done ends it with exit code 3.
    """
    asked = None if wanted is None else parse_property(wanted)
    recorded = _recorded(trace, asked, level)
    prop = asked or (recorded.property if recorded else None) or Property.UNREACH_CALL
    machine = _machine(files, prop, _granularity(granularity, recorded, trace), reading)
    session = _session(machine, prop, recorded, at, seed)
    if commands or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _script(session, commands or (line.rstrip("\n") for line in sys.stdin))
    from threadproof.simulate.terminal import interact

    interact(session)
    return ExitCode.TRUE


def _recorded(trace: str | None, asked: Property | None, level: int | None) -> Recorded | None:
    if trace is None and level is not None:
        raise InputError("--level needs --trace: the file that smc --splitting ... --json wrote")
    if trace is None:
        return None
    from threadproof.simulate.files import read

    require_readable(trace)
    return read(trace, asked, level)


def _granularity(given: str | None, recorded: Recorded | None, trace: str | None) -> str:
    said = None if recorded is None else recorded.granularity.value
    if given is not None and said is not None and given != said:
        raise InputError(f"{trace} counts {said} steps: leave --granularity out")
    return given or said or "visible"


def _machine(files: tuple[str, ...], prop: Property, steps: str, reading: Reading) -> Machine:
    """Visible steps: the program as the engines see it for the property. Instructions: as LLVM has it."""
    from threadproof import portfolio
    from threadproof.frontend import load
    from threadproof.passes.pipeline import instruction_form
    from threadproof.semantics.machine import Machine
    from threadproof.semantics.run import Granularity, Spurious

    if steps == "instruction":
        program = instruction_form(load(list(files), reading.options("pure")))
        return Machine(program, Granularity.INSTRUCTION, Spurious(reading.spurious or "off"))
    usual = "off" if prop is Property.NO_DEADLOCK else "on"  # as verify and replay have it
    program = portfolio.prepare(list(files), prop, reading.options("pure"))
    return Machine(program, Granularity.VISIBLE, Spurious(reading.spurious or usual))


def _session(machine: Machine, prop: Property, recorded: Recorded | None, at: str, seed: int) -> Session:
    from threadproof.simulate.commands import perform
    from threadproof.simulate.session import begin
    from threadproof.simulate.world import SimulatedProgram

    if recorded is None:
        return begin(SimulatedProgram(machine, prop), seed=seed)
    session = begin(SimulatedProgram(machine, prop), recorded.schedule, recorded.cause, seed)
    if at == "end" and recorded.schedule:
        moved = perform(session, "next until end")
        if isinstance(moved, str):
            raise InputError(moved)
        return moved
    return session


def _script(session: Session, commands: Iterable[str]) -> int:
    from threadproof.simulate.script import ScriptProblem, run

    try:
        for line in run(session, commands, sys.stdout.encoding or "ascii"):
            click.echo(line)
    except ScriptProblem as problem:
        sys.stdout.flush()
        raise InputError(str(problem)) from None
    return ExitCode.TRUE
