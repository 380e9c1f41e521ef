"""The entry point: every way to end has its exit code and sentence.

0 true   1 false   2 unknown   3 the input or the options cannot be used   4 internal error
130 interrupted
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from enum import IntEnum
from io import TextIOWrapper
from typing import NoReturn

import click

from threadproof.cli import startup
from threadproof.core.errors import InputError
from threadproof.core.printable import printable
from threadproof.core.result import Verdict


class ExitCode(IntEnum):
    TRUE = 0
    FALSE = 1
    UNKNOWN = 2
    UNUSABLE = 3
    INTERNAL = 4
    INTERRUPTED = 130  # as shells count Ctrl-C


_COMPLETE = "_THREADPROOF_COMPLETE"  # set by shells that want to complete a word

OF_VERDICT = {
    Verdict.TRUE: ExitCode.TRUE,
    Verdict.FALSE: ExitCode.FALSE,
    Verdict.UNKNOWN: ExitCode.UNKNOWN,
}


def main(argv: Sequence[str] | None = None) -> NoReturn:
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a quoted source line may hold any character
    startup.measure()
    code = run(arguments)
    if code == ExitCode.INTERRUPTED:  # if Ctrl-C met `exec` (a dataclass is made), the interpreter ends by the signal
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(code)
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """The exit code of a command line. Everything that can go wrong ends here."""
    try:
        if signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None):
            signal.signal(signal.SIGINT, signal.default_int_handler)  # from here on it is caught below
        from threadproof.cli.app import app

        _require_directory()
        if _COMPLETE in os.environ:
            app.main(arguments, prog_name="threadproof", complete_var=_COMPLETE)
        ours, given = split_arguments(arguments)
        if ours[:1] == ["verify"]:
            from threadproof.cli.compile_lines import as_ours

            ours = ["verify", *as_ours(ours[1:])]
        with app.make_context("threadproof", ours, obj=given) as context:
            code = app.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else ExitCode.TRUE
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.UsageError as error:
        where = f" ({error.ctx.command_path} --help lists the options)" if error.ctx else ""
        file = next((one for one in arguments if one.startswith("-") and os.path.isfile(one)), None)
        where = where if file is None else f" (if the file is meant: ./{file})"
        return _fail(f"error: {error.format_message().rstrip('.')}{where}", ExitCode.UNUSABLE)
    except click.ClickException as error:
        return _fail(f"error: {error.format_message()}", ExitCode.UNUSABLE)
    except InputError as error:
        return _fail(f"error: {error}", ExitCode.UNUSABLE)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted: unknown", ExitCode.INTERRUPTED)
    except BrokenPipeError:
        forget_stdout()
        return ExitCode.UNKNOWN
    except OSError as error:
        if error.errno == errno.ENOENT and "temporary directory" in str(error):  # nothing can be written anywhere
            return _fail(f"error: {error.strerror}", ExitCode.UNUSABLE)
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT):
            return _internal(error, arguments)
        forget_stdout()
        return _fail(f"error: cannot write the output: {error.strerror}", ExitCode.UNUSABLE)
    except Exception as error:
        return _internal(error, arguments)


def _open_closed_streams() -> None:
    """Started with a stream closed (`>&-`): what is written there goes nowhere, and no file of ours takes its place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free: this one
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))  # noqa: SIM115


def _require_directory() -> None:
    try:
        os.getcwd()
    except FileNotFoundError:
        raise InputError("the current directory does not exist any more") from None


def split_arguments(words: list[str]) -> tuple[list[str], tuple[str, ...] | None]:
    """`verify FILE... -- ARG...`: what is said to Threadproof, and what the program is started with."""
    if "--" not in words:
        return list(words), None
    at = words.index("--")
    return words[:at], tuple(words[at + 1 :])


def forget_stdout() -> None:
    """The reader left (`| head`): what is still buffered goes nowhere, without a complaint at exit."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _internal(error: Exception, arguments: list[str]) -> int:
    if "--debug" in arguments or os.environ.get("THREADPROOF_DEBUG"):
        import traceback

        traceback.print_exc()
        return ExitCode.INTERNAL
    what = " ".join(str(error).split()) or "no message"
    _fail(f"internal error: {type(error).__name__}: {what[:300]}", ExitCode.INTERNAL)
    with suppress(OSError):
        for command in getattr(error, "reproduce", ()):
            click.echo(f"To reproduce: {command}", err=True)
        click.echo("This is a bug of Threadproof. Run again with --debug to see where it happened.", err=True)
    return ExitCode.INTERNAL


def _fail(message: str, code: ExitCode) -> ExitCode:
    with suppress(OSError):  # the exit code says it, too
        click.echo(f"threadproof: {printable(message)}", err=True)
    return code
