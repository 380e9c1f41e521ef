"""From files to the form of the program a property is checked on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from threadproof.core.errors import InputError
from threadproof.core.property import Property
from threadproof.frontend.options import Checks, FrontendOptions, Locals

if TYPE_CHECKING:  # what is large is imported by whoever reads: the first process may not need it
    from threadproof.frontend.compilations import Compilations
    from threadproof.ir.program import Program


def prepare(
    paths: Sequence[str], prop: Property, options: FrontendOptions, begun: Compilations | None = None
) -> Program:
    from threadproof.frontend.loading import load

    return normal_form(load(list(paths), reading(paths, prop, options), begun), prop)


def reading(paths: Sequence[str], prop: Property, options: FrontendOptions) -> FrontendOptions:
    """How the files are read for a property: overflow is seen by clang's checks."""
    options = replace(options, locals=Locals.BLOCK)
    if prop is not Property.NO_OVERFLOW:
        return options
    for path in paths:
        if path.endswith(".ll"):
            raise InputError(f"{path}: no-overflow needs C: LLVM's text no longer tells signed from unsigned")
    return replace(options, checks=Checks.OVERFLOW)


def normal_form(program: Program, prop: Property) -> Program:
    """Memory safety keeps locals in memory: whether a block is lost depends on what a variable still holds, also when
    nobody reads it again."""
    from threadproof.passes.narrow import BlocksAsked
    from threadproof.passes.pipeline import instruction_form, normalise

    if prop is Property.VALID_MEMSAFETY:
        return instruction_form(program, BlocksAsked.ALWAYS)
    return normalise(program, BlocksAsked.AT_THE_END if prop is Property.VALID_MEMCLEANUP else BlocksAsked.NEVER)


class Readings:
    """Programs that were read for several properties: each way of reading happens once."""

    def __init__(self, paths: Sequence[str], options: FrontendOptions) -> None:
        self._paths = paths
        self._options = options
        self._read: dict[FrontendOptions, Program] = {}

    def program(self, prop: Property) -> Program:
        options = reading(self._paths, prop, self._options)
        if options not in self._read:
            from threadproof.frontend.loading import load

            self._read[options] = load(list(self._paths), options)
        return self._read[options]
