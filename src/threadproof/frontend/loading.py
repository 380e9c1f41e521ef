"""From files to a program."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from threadproof.core.errors import InputError
from threadproof.core.files import require_readable
from threadproof.frontend.assemble import Assembler
from threadproof.frontend.clang import compile_c
from threadproof.frontend.compilations import Compilations
from threadproof.frontend.debug_info import DebugInfo
from threadproof.frontend.library import Library
from threadproof.frontend.link import Unit
from threadproof.frontend.llvm.file import read_llvm
from threadproof.frontend.llvm.parser import parse_module
from threadproof.frontend.options import FrontendOptions, Locals, Volatile
from threadproof.frontend.outside import Uses
from threadproof.frontend.volatile import volatile_is_atomic
from threadproof.frontend.well_known import own_functions, undeclared
from threadproof.ir.check import check, require_legal
from threadproof.ir.program import DataModel, Program, Taken
from threadproof.sync.operations import OPERATIONS


def load(paths: Sequence[str], options: FrontendOptions | None = None, begun: Compilations | None = None) -> Program:
    """The program that the files make up. Raises InputError, with a message for the user."""
    options = options or FrontendOptions()
    with _collector_paused():
        program = replace(_load(paths, options, begun or Compilations()), spurious=options.spurious)
        return volatile_is_atomic(program) if options.volatile is Volatile.ATOMIC else program


@contextmanager
def _collector_paused() -> Generator[None, None, None]:
    """Loading makes millions of small objects and no garbage worth looking for."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _load(paths: Sequence[str], options: FrontendOptions, begun: Compilations) -> Program:
    options, units = _units(paths, options, begun)
    data_model = _common_data_model(units)
    library = Library(data_model, replace(options, locals=Locals.FUNCTION))
    uses = Uses.of(options)
    for name in options.declare:
        uses.note(f"{name} is called without its header: taken as the C library declares it")
    program = Assembler(units, library, data_model, options, uses).program(tuple(paths))
    if any(one.taken is Taken.UNKNOWN for one in uses.missing.values()):
        every = replace(uses, look_behind=True)  # a call that has no meaning ends its block: once more, for the rest
        rest = Assembler(units, library, data_model, options, every).program(tuple(paths))
        program = replace(program, outside=every.outside(rest.outside.variables))
    if options.locals is Locals.BLOCK and check(program, OPERATIONS):
        # A jump past the beginning of a block whose local is used all the same: its life is the call's.
        return _load(paths, replace(options, locals=Locals.FUNCTION), begun)
    require_legal(program, OPERATIONS)
    return replace(program, arguments=options.arguments)


def _units(paths: Sequence[str], options: FrontendOptions, begun: Compilations) -> tuple[FrontendOptions, list[Unit]]:
    """The modules; compiled a second time where clang has to be told what well-known names mean here."""
    units = _compiled(paths, options, begun)
    own, declare = own_functions(units), undeclared(units)
    if not own and not declare:
        return options, units
    for better in (replace(options, own=own, declare=declare), replace(options, own=own)):
        try:
            return better, _compiled(paths, better, begun)
        except InputError:
            if not better.declare:
                raise  # else the program declares the function in a way of its own
    raise AssertionError("the second one returns or raises")


def _compiled(paths: Sequence[str], options: FrontendOptions, begun: Compilations) -> list[Unit]:
    given = {os.path.abspath(path): path for path in paths}
    units: list[Unit] = []
    for path, text in zip(paths, _texts(paths, options, begun), strict=True):
        module = parse_module(text, path, options.data_model.pointer_bytes)
        units.append(Unit(module, DebugInfo(module.metadata, given)))
    return units


def llvm_text(paths: Sequence[str], options: FrontendOptions | None = None) -> str:
    """What clang makes of the files, one module after the other."""
    return "\n".join(_texts(paths, options or FrontendOptions(), Compilations()))


def _texts(paths: Sequence[str], options: FrontendOptions, begun: Compilations) -> list[str]:
    if not paths:
        raise InputError("no input file")
    for path in paths:
        _require_compilable(path)
    twice = [path for number, path in enumerate(paths) if any(_same(path, other) for other in paths[:number])]
    if twice:
        raise InputError(f"{twice[0]} is given twice")
    return [_text(path, options, begun) for path in paths]


def _text(path: str, options: FrontendOptions, begun: Compilations) -> str:
    if path.endswith(".ll"):
        return read_llvm(path)
    ahead = begun.text(path, options)
    return compile_c(path, options) if ahead is None else ahead


def _same(one: str, other: str) -> bool:
    return os.path.samefile(one, other)


def _require_compilable(path: str) -> None:
    require_readable(path)
    if "\\" in path:
        raise InputError(f"cannot read {path}: the compiler takes no file name with a backslash")


def _common_data_model(units: list[Unit]) -> DataModel:
    """LLVM files say themselves for which machine they are; C was compiled for the one asked for."""
    first = units[0].module
    for unit in units[1:]:
        if unit.module.types.pointer_bytes != first.types.pointer_bytes:
            raise InputError(f"{first.file} and {unit.module.file} are for different data models")
    return DataModel.ILP32 if first.types.pointer_bytes == 4 else DataModel.LP64
