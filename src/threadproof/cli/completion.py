"""`threadproof completion SHELL`: what bash, zsh or fish need to complete commands and options."""

from __future__ import annotations

import click

from threadproof.cli.options import CONTEXT

SHELLS = ("bash", "zsh", "fish")


@click.command(context_settings=CONTEXT)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a script for SHELL: eval "$(threadproof completion bash)"."""
    from click.shell_completion import get_completion_class

    from threadproof.cli.app import app

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(app, {}, "threadproof", "_THREADPROOF_COMPLETE").source())
