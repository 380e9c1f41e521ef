"""From files to the form of the program a property is checked on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from threadproof.core.errors import InputError
from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions, load
from threadproof.frontend.options import Checks, Locals
from threadproof.ir.program import Program
from threadproof.passes.pipeline import instruction_form, normalise


def prepare(paths: Sequence[str], prop: Property, options: FrontendOptions) -> Program:
    """Overflow is seen by clang's checks. Memory safety keeps locals in memory: whether a block is lost depends on
    what a variable still holds, also when nobody reads it again."""
    if prop is Property.NO_OVERFLOW:
        for path in paths:
            if path.endswith(".ll"):
                raise InputError(f"{path}: no-overflow needs C: LLVM's text no longer tells signed from unsigned")
        options = replace(options, checks=Checks.OVERFLOW)
    program = load(list(paths), replace(options, locals=Locals.BLOCK))
    return instruction_form(program) if prop is Property.VALID_MEMSAFETY else normalise(program)
