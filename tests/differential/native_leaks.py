"""Lost memory: the native search against the reference, and against itself without reductions."""

from __future__ import annotations

from collections.abc import Iterator

from comparison import read
from search_reductions import compare

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Unknown, Unsafe
from threadproof.engines import dpor
from threadproof.engines.explicit import native, reference
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.passes.pipeline import instruction_form

PROPERTY = Property.VALID_MEMSAFETY


def differences(source: str) -> Iterator[str]:
    program = instruction_form(read(source))
    task = Task(program, PROPERTY)
    theirs = reference.check(task, Budget(20), Silent())
    if isinstance(theirs, Unknown) and theirs.reason.startswith("time"):
        return
    mine = native.check(task, Budget(900), Silent())
    if mine is not None:
        if type(mine) is not type(theirs):
            yield f"the native search says {mine}, the reference {theirs}"
        if isinstance(mine, Unsafe) and replay_schedule(program, PROPERTY, mine.schedule) is None:
            yield "the schedule of the native search does not replay"
        yield from compare(program, PROPERTY)[0]
    stateless = dpor.check(task, Budget(20), Silent())
    if not isinstance(stateless, Unknown) and type(stateless) is not type(theirs):
        yield f"dpor says {stateless}, the reference {theirs}"
    if isinstance(stateless, Unsafe) and replay_schedule(program, PROPERTY, stateless.schedule) is None:
        yield "the schedule of dpor does not replay"
