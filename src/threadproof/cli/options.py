"""Options that several commands share: everything that says how FILE is read."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import wraps
from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from threadproof.core.errors import InputError
from threadproof.core.files import require_readable

if TYPE_CHECKING:
    from threadproof.frontend import FrontendOptions

CONTEXT = {"help_option_names": ["-h", "--help"]}
DATA_MODELS = ("ILP32", "LP64")


@dataclass(frozen=True, slots=True)
class Reading:
    """What the command line says about reading C, before the front end is imported."""

    data_model: str
    includes: tuple[str, ...]
    defines: tuple[str, ...]
    undefines: tuple[str, ...]
    headers: tuple[str, ...]
    std: str | None
    clang: str | None
    undefined: str | None
    assume_pure: tuple[str, ...]
    volatile: str
    spurious: str | None
    arguments: tuple[str, ...] | None  # of the program, after --

    def options(self, undefined: str = "unknown") -> FrontendOptions:
        """`undefined` counts where the command line says nothing."""
        from threadproof.frontend.options import FrontendOptions, Volatile
        from threadproof.ir.reading import DataModel, Spurious, Taken

        return FrontendOptions(
            data_model=DataModel(self.data_model),
            include_dirs=self.includes,
            defines=self.defines,
            undefines=self.undefines,
            headers=self.headers,
            std=self.std,
            clang=self.clang,
            undefined=Taken(self.undefined or undefined),
            arguments=self.arguments,
            assume_pure=tuple(name.strip() for names in self.assume_pure for name in names.split(",") if name.strip()),
            volatile=Volatile(self.volatile),
            spurious=None if self.spurious is None else Spurious(self.spurious),
        )


class Seconds(click.FloatRange):
    """A limit of time. `nan` is in no range and outside of none; nor is `inf` a limit."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = super().convert(value, param, ctx)
        if not isfinite(seconds):
            self.fail(f"{value} is not a number of seconds", param, ctx)
        return seconds


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the front end's options to a command, which gets them as one parameter `reading`."""

    @click.option(
        "--data-model",
        type=click.Choice(DATA_MODELS),
        default="LP64",
        show_default=True,
        help="Sizes of int, long and pointers.",
    )
    @click.option("-I", "includes", metavar="DIR", multiple=True, callback=_folders, help="Look for headers in DIR.")
    @click.option("-D", "defines", metavar="NAME[=VALUE]", multiple=True, callback=_macros, help="Define a macro.")
    @click.option("-U", "undefines", metavar="NAME", multiple=True, callback=_macros, help="Undefine a macro.")
    @click.option("--include", "headers", metavar="FILE", multiple=True, help="Read this header first.")
    @click.option("-std", "--std", "std", metavar="STD", help="C standard, such as c11 or gnu99.")
    @click.option("--clang", metavar="PATH", help="Use this clang instead of the bundled one.")
    @click.option(
        "--undefined",
        type=click.Choice(("unknown", "havoc", "pure")),
        help="What functions without a body do: nobody knows, change all they can reach, or change nothing. "
        "[default: unknown; pure where the property is a .prp file]",
    )
    @click.option("--assume-pure", metavar="NAME,...", multiple=True, help="These functions change nothing.")
    @click.option(
        "--volatile",
        type=click.Choice(("plain", "atomic")),
        default="plain",
        show_default=True,
        help="What accesses to volatile objects count as; atomic: relaxed, for code from before C11.",
    )
    @click.option(
        "--spurious",
        type=click.Choice(("on", "off")),
        help="Whether waits on condition variables may end by themselves. [default: on, except for no-deadlock]",
    )
    @click.option("--debug", is_flag=True, expose_value=False, hidden=True)
    @wraps(command)
    def wrapper(**given: Any) -> Any:
        names = (
            "data_model",
            "includes",
            "defines",
            "undefines",
            "headers",
            "std",
            "clang",
            "undefined",
            "assume_pure",
        )
        names += ("volatile", "spurious")
        arguments = click.get_current_context().find_root().obj
        reading = Reading(**{name: given.pop(name) for name in names}, arguments=arguments)
        return command(reading=reading, **given)

    return wrapper


def files_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.argument("files", metavar="FILE...", nargs=-1, required=True, callback=_readable)(command)


def out_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Where text goes; `-` is stdout, as without the option."""
    said = "Write to FILE instead of stdout."
    return click.option("-o", "out", metavar="FILE", callback=_not_stdout, help=said)(command)


def _not_stdout(_ctx: click.Context, _param: click.Parameter, file: str | None) -> str | None:
    return None if file == "-" else file


def _readable(_ctx: click.Context, _param: click.Parameter, files: tuple[str, ...]) -> tuple[str, ...]:
    for file in files:
        require_readable(file)
    return files


_MACRO = re.compile(r"[A-Za-z_]\w*(\([^)]*\))?(=.*)?", re.DOTALL)


def _folders(_ctx: click.Context, _param: click.Parameter, folders: tuple[str, ...]) -> tuple[str, ...]:
    for folder in folders:
        if not os.path.isdir(folder):
            raise InputError(f"-I {folder}: there is no such directory")
    return folders


def _macros(_ctx: click.Context, param: click.Parameter, macros: tuple[str, ...]) -> tuple[str, ...]:
    for macro in macros:
        if not _MACRO.fullmatch(macro):
            raise InputError(f"{param.opts[0]} '{macro}': not a macro (NAME or NAME=VALUE)")
    return macros


def caching(wanted: bool | None) -> AbstractContextManager[None]:
    """False: what is cached is not used."""
    if wanted is not False:
        return nullcontext()
    from threadproof.toolchain.cache import nothing_from_before

    return nothing_from_before()


def require_writable(file: str) -> None:
    """Asked before the work starts: nobody wants to lose a verdict to a typing error in a path."""
    folder = os.path.dirname(file) or "."
    if os.path.isdir(file):
        raise InputError(f"cannot write {file}: it is a directory")
    if not os.path.isdir(folder):
        raise InputError(f"cannot write {file}: there is no directory {folder}")
    if not os.access(file if os.path.exists(file) else folder, os.W_OK):
        raise InputError(f"cannot write {file}: permission denied")


def write_text(file: str, text: str) -> None:
    """All of it or nothing: whoever finds the file finds a whole one."""
    try:
        if os.path.exists(file) and not os.path.isfile(file):  # a pipe, a terminal
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
            return
        unfinished = f"{file}.{os.getpid()}.part"
        try:
            with open(unfinished, "w", encoding="utf-8") as out:
                out.write(text)
            os.replace(unfinished, file)
        finally:
            if os.path.exists(unfinished):
                os.unlink(unfinished)
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from None
