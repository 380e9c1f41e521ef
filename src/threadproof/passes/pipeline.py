"""The way to normal form: an ordered list of passes, and a check that the result is a legal program."""

from __future__ import annotations

from collections.abc import Callable

from threadproof.ir.check import require_legal
from threadproof.ir.program import Program
from threadproof.passes.arenas import make_room_for_threads
from threadproof.passes.at_exit import call_at_exit
from threadproof.passes.atomic_functions import bracket_atomic_functions
from threadproof.passes.cancel_points import drop_cancel_points
from threadproof.passes.certain_looks import drop_certain_looks
from threadproof.passes.fold import fold_temporaries
from threadproof.passes.jumps import return_to_setjmp
from threadproof.passes.keep_names import keep_names
from threadproof.passes.main_arguments import give_main_arguments
from threadproof.passes.main_ends import keep_locals_of_main
from threadproof.passes.narrow import BlocksAsked, narrow_choices
from threadproof.passes.promote import promote_locals
from threadproof.passes.prune import drop_uncalled_functions
from threadproof.passes.share import mark_unshared
from threadproof.passes.sort_choices import sort_choices
from threadproof.passes.unused_results import forget_unused_results
from threadproof.sync.operations import OPERATIONS

Pass = Callable[[Program], Program]

MEANING: tuple[Pass, ...] = (
    return_to_setjmp,
    bracket_atomic_functions,
    drop_uncalled_functions,
    drop_cancel_points,
    keep_locals_of_main,
)
"""What every engine needs, statistical model checking included: instructions stay one to one with LLVM's."""

PIPELINE: tuple[Pass, ...] = (
    *MEANING,
    forget_unused_results,
    promote_locals,
    keep_names,
    fold_temporaries,
    drop_certain_looks,
    give_main_arguments,
    call_at_exit,
    mark_unshared,
    narrow_choices,
    sort_choices,
    make_room_for_threads,
)


INSTRUCTION_FORM: tuple[Pass, ...] = (
    *MEANING,
    drop_certain_looks,
    give_main_arguments,
    call_at_exit,
    mark_unshared,
    narrow_choices,
    make_room_for_threads,
)


def normalise(program: Program, asked: BlocksAsked = BlocksAsked.NEVER) -> Program:
    """The normal form: locals in registers, no idle temporaries, main without parameters, sharing known."""
    return _through(PIPELINE, program, asked)


def instruction_form(program: Program, asked: BlocksAsked = BlocksAsked.NEVER) -> Program:
    """The form for steps of single LLVM instructions."""
    return _through(INSTRUCTION_FORM, program, asked)


def _through(passes: tuple[Pass, ...], program: Program, asked: BlocksAsked) -> Program:
    for each in passes:
        program = narrow_choices(program, asked) if each is narrow_choices else each(program)
    require_legal(program, frozenset(OPERATIONS))
    return program
