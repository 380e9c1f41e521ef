"""`threadproof sequentialize`: all interleavings of a program as one sequential C program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from threadproof.cli.options import (
    CONTEXT,
    Reading,
    Seconds,
    files_argument,
    out_option,
    reading_options,
    require_writable,
    write_text,
)

if TYPE_CHECKING:
    from threadproof.codegen.sequential import Options
    from threadproof.ir.program import Program

REDUCTIONS = ("none", "local", "conflict", "full")


@click.command(context_settings=CONTEXT)
@files_argument
@out_option
@click.option(
    "--reduction", type=click.Choice(REDUCTIONS), default="full", show_default=True, help="Where threads may change."
)
@click.option(
    "--stay",
    type=click.Choice(("goto", "assume")),
    default="goto",
    show_default=True,
    help="How a thread goes on: inside its switch, or by an assumption at the loop's head.",
)
@click.option("--threads", metavar="N", type=click.IntRange(min=1), default=3, show_default=True,
              help="Threads that one creation in a loop may make.")  # fmt: skip
@click.option("--depth", metavar="N", type=click.IntRange(min=1), default=8, show_default=True,
              help="Calls of one recursive function at a time.")  # fmt: skip
@click.option("--rounds", metavar="K", type=click.IntRange(min=1), help="Only K rounds of all threads in order.")
@click.option("--random", is_flag=True, help="A program to be run: its choices are random, from SEED=N.")
@click.option("--backend", metavar="CMD", help="Run an installed verifier for sequential C on it ({}: the file).")
@click.option("--timeout", metavar="S", type=Seconds(), default=900.0, show_default=True, help="Of the back end.")
@click.option("--checks", is_flag=True, help="Assertions about the generated program itself.")
@reading_options
def sequentialize(
    files: tuple[str, ...],
    out: str | None,
    reduction: str,
    stay: str,
    threads: int,
    depth: int,
    rounds: int | None,
    checks: bool,
    random: bool,
    backend: str | None,
    timeout: float,
    reading: Reading,
) -> int:
    """Write a sequential C program with the same behaviours.

    reach_error can be reached in it exactly if it can in FILE, unless a bound is too small: compiled with
    -DCHECK_BOUNDS, that is an error too. Compile it for the same data model. With --backend the exit code is
    that of verify; what the back end says is not replayed.
    """
    if out is not None:
        require_writable(out)
    from threadproof.codegen.sequential import Choices, Options, Reduction, SelfChecks, Staying
    from threadproof.codegen.sequential import sequentialize as written
    from threadproof.core.property import Property
    from threadproof.portfolio.prepare import prepare

    options = Options(
        Reduction(reduction),
        Staying(stay),
        threads,
        depth,
        rounds,
        SelfChecks.ON if checks else SelfChecks.OFF,
        Choices.RANDOM if random else Choices.OPEN,
    )
    program = prepare(files, Property.UNREACH_CALL, reading.options())
    text = written(program, options).text
    if out is not None:
        write_text(out, text)
    if backend is not None:
        return _asked(backend, program, options, timeout)
    if out is None:
        sys.stdout.write(text)
    return 0


def _asked(backend: str, program: Program, options: Options, timeout: float) -> int:
    from threadproof.cli.main import OF_VERDICT
    from threadproof.core.result import Verdict
    from threadproof.portfolio.backend import verdict_of

    said = verdict_of(backend, program, options, timeout)
    unchecked = "not replayed" if said.verdict is Verdict.FALSE else "and no random run says otherwise"
    says = said.reason or f"says {backend.split()[0]}, {unchecked}"
    click.echo(f"unreach-call: {said.verdict} — {says}")
    return OF_VERDICT[said.verdict]
