"""`threadproof stubs FILE...`: C for what the files use and do not define, to be edited and given to `verify`."""

from __future__ import annotations

import os
import shlex

import click

from threadproof.cli.main import ExitCode
from threadproof.cli.options import CONTEXT, Reading, files_argument, reading_options, require_writable, write_text
from threadproof.core.errors import InputError

DEFAULT = "stubs.c"


@click.command(context_settings=CONTEXT)
@files_argument
@click.option("-o", "out", metavar="FILE", default=DEFAULT, show_default=True, help="Where to write.")
@click.option("--force", is_flag=True, help="Write over a file that is there: it may have been edited.")
@reading_options
def stubs(files: tuple[str, ...], out: str, force: bool, reading: Reading) -> int:
    """Write a C definition for every function and variable that FILE... use and do not define.

    Each function returns any value of its type and changes nothing; comments say what is assumed about pointers.
    Edit them, then verify FILE... together with them.
    """
    from threadproof.frontend.loading import load
    from threadproof.frontend.stubs import stubs as written_for

    require_writable(out)
    if os.path.exists(out) and not force:
        raise InputError(f"{out} exists and may have been edited: name another file with -o, or say --force")
    options = reading.options("unknown")
    outside = load(list(files), options).outside
    if not outside.missing and not outside.variables:
        click.echo("nothing is missing: no stubs were written")
        return ExitCode.TRUE
    made = written_for(files, options, outside, os.path.dirname(os.path.abspath(out)))
    write_text(out, made.text)
    click.echo(f"{out}: {len(made.functions)} functions, {len(made.variables)} variables")
    for one in made.left_out:
        click.echo(f"  not written: {one}")
    try:
        load([*files, out], options)
    except InputError as error:
        raise InputError(f"{out} was written, but has to be edited before it compiles: {error}") from None
    click.echo(f"Edit it, then: threadproof verify {shlex.join([*files, out])}")
    return ExitCode.TRUE
