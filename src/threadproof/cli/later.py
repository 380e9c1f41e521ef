"""Commands of the contract that no release implements yet: they say so, with exit code 3."""

from __future__ import annotations

from typing import Any

import click

from threadproof.core.errors import NotThereYet

_ANYTHING: dict[str, Any] = {"ignore_unknown_options": True, "help_option_names": ["-h", "--help"]}


def _later(name: str, says: str, sentence: str) -> click.Command:
    def refuse(arguments: tuple[str, ...]) -> None:
        raise NotThereYet(sentence)

    arguments = click.Argument(["arguments"], metavar="FILE [OPTIONS]", nargs=-1, type=click.UNPROCESSED)
    return click.Command(name, context_settings=_ANYTHING, callback=refuse, params=[arguments], help=says)


sequentialize = _later(
    "sequentialize",
    "Write a sequential C program with the same behaviours. Not there yet.",
    "the command sequentialize is not there yet",
)
