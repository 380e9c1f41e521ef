"""`python -m threadproof.dev.man [FILE]`: writes the manual page, from the same descriptions as `--help`."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from threadproof import __version__
from threadproof.cli.app import app
from threadproof.cli.settings import FILE

DEFAULT_FILE = Path("docs/man/threadproof.1")
_EXIT = (
    ("0", "true: every property that was asked about holds"),
    ("1", "false: one is violated, and an interleaving shows it"),
    ("2", "unknown, with the reason"),
    ("3", "the input or the options cannot be used"),
    ("4", "an internal error"),
    ("130", "interrupted by Ctrl-C"),
)
_EXAMPLES = (
    ("threadproof verify queue.c driver.c -p no-data-race -p no-deadlock", "Two properties of one program."),
    ("threadproof verify driver.c --report out", "Write out/index.html, a page in which the program runs."),
    ("threadproof stubs queue.c driver.c", "Write definitions for what the two files do not define."),
    ("threadproof smc race.c --query 'Pr[<=1000] (<> x == 1)'", "How likely is it?"),
)


def document() -> str:
    context = click.Context(app, info_name="threadproof")
    lines = [
        f'.TH THREADPROOF 1 "" "threadproof {__version__}" "User Commands"',
        *_section("NAME", "threadproof \\- verifier for multi-threaded C programs"),
        *_section("SYNOPSIS", ".B threadproof\n.I command\n[\\fIoption\\fR ...] [\\fIfile\\fR ...]"),
        *_section("DESCRIPTION", _paragraphs(app.help)),
        ".SH COMMANDS",
    ]
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None
        lines += _command(name, command)
    lines += [".SH EXIT STATUS", *(line for code, says in _EXIT for line in (".TP", f".B {code}", _text(says)))]
    lines += [".SH EXAMPLES"]
    lines += [line for call, says in _EXAMPLES for line in (".TP", f".B {_text(call)}", _text(says))]
    said = "in the current directory: options of commands by their names, as in [verify] timeout = 60"
    lines += [".SH FILES", ".TP", f".I {FILE}", _text(said)]
    return "\n".join(lines) + "\n"


def _section(title: str, text: str) -> list[str]:
    return [f".SH {title}", text]


def _command(name: str, command: click.Command) -> Iterator[str]:
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    words = " ".join(_text(one.metavar or (one.name or "").upper()) for one in arguments)
    yield f".SS {_text(name)}"
    yield f".B threadproof {_text(name)}\n[\\fIoption\\fR ...] {words}"
    yield ".PP"
    yield _paragraphs(command.help)
    for one in options:
        yield ".TP"
        yield _flags(one)
        yield _text(_help(one))


def _flags(option: click.Option) -> str:
    names = ", ".join(f"\\fB{_text(name)}\\fR" for name in (*option.opts, *option.secondary_opts))
    metavar = _metavar(option)
    return f"{names} \\fI{_text(metavar)}\\fR" if metavar else names


def _metavar(option: click.Option) -> str:
    if option.is_flag:
        return ""
    if isinstance(option.type, click.Choice):
        choices: Any = option.type.choices
        return option.metavar or "|".join(map(str, choices))
    return option.metavar or option.type.name.upper()


def _help(option: click.Option) -> str:
    said = option.help or ""
    return f"{said} [default: {option.default}]" if option.show_default else said


def _paragraphs(text: str | None) -> str:
    parts = inspect.cleandoc(text or "").split("\n\n")
    return "\n.PP\n".join(map(_paragraph, parts))


def _paragraph(part: str) -> str:
    """As click marks them: after `\\b` lines stay as they are."""
    lines = part.split("\n")
    if lines[0].strip() != "\b":
        return _text(" ".join(part.split()))
    return "\n".join((".nf", *map(_text, lines[1:]), ".fi"))


def _text(text: str) -> str:
    """As roff reads it: a backslash, a dash and a dot at the beginning of a line have meanings of their own."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", escaped)


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    target = Path(given[0]) if given else DEFAULT_FILE
    target.write_text(document(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
