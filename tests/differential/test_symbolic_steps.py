"""Executions that the formula of an unwound program admits are executions of the reference semantics.

Random programs are unwound, some execution is asked for, and the reference machine is led along its events: what the
model says was read or written must be what the machine reads or holds then. That the formula leaves out no execution is
what the comparisons of verdicts with brute force are for.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import SHAPES

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.bmc.asking import Asking, SolvingEffort
from threadproof.engines.bmc.schedule import Leading
from threadproof.engines.bmc.unwinding.events import UnwoundEvent
from threadproof.engines.bmc.unwinding.objects import ObjectStorage
from threadproof.engines.bmc.unwinding.unwinding import Unwinding
from threadproof.engines.bmc.unwinding.world import Bounds, Unwound
from threadproof.engines.bmc.witness import Witness
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Access, Moved
from threadproof.semantics.state import State
from threadproof.smt.evaluate import Assignment


@pytest.mark.parametrize("seed", range(24))
def test_a_model_is_an_execution(seed: int, tmp_path: Path) -> None:
    follow(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1400))
def test_many_models_are_executions(seed: int, tmp_path: Path) -> None:
    follow(seed, tmp_path)


def test_enough_is_compared(tmp_path: Path) -> None:
    """Programs that cannot be encoded and events without a single read are left out: not all of them may be."""
    assert sum(follow(seed, tmp_path) for seed in range(2000, 2008)) >= 10


def follow(seed: int, folder: Path) -> int:
    """How many values of the model were compared with the machine's."""
    path = folder / "main.c"
    path.write_text(SHAPES["tiny"](seed), encoding="utf-8")
    program = prepare([str(path)], Property.UNREACH_CALL, FrontendOptions())
    try:
        world = Unwinding.of(program, MemoryModel.SC).settled(Bounds(2, 24), Budget(900))
    except CannotEncode:
        return 0
    answer = Asking(world, Budget(900), SolvingEffort()).execution(world.terms.bool_var("some execution"))
    assert answer is not None
    machine, compared = Machine(program), 0
    leading = Leading(machine, world, answer.model)
    for event in Witness(program, Property.UNREACH_CALL, world, answer).happening():
        leading.perform(event, flush=False)
        if not isinstance(leading.outcome, Moved | None):
            return compared
        compared += check_reads(answer.model, event, leading)
    return compared + check_memory(world, answer.model, machine, leading.state, seed)


def check_reads(model: Assignment, event: UnwoundEvent, leading: Leading) -> int:
    if not isinstance(leading.outcome, Moved) or len(event.reads) != 1 or event.writes or event.block:
        return 0
    part, compared = event.reads[0], 0
    for effect in leading.outcome.effects:
        if isinstance(effect, Access) and effect.address == part.cell[0] and effect.size == part.cell[1]:
            assert effect.value == model.number(part.value), event
            compared += 1
    return compared


def check_memory(world: Unwound, model: Assignment, machine: Machine, state: State, seed: int) -> int:
    """Cells that one thread alone writes hold what its last write put there."""
    view, compared = MemoryView(machine.static.image, state), 0
    for thread in world.threads.values():
        last: dict[tuple[int, int], int] = {}
        for event in thread.events:
            if all(model.holds(literal) for literal in event.guard):
                for part in event.writes:
                    if model.holds(part.when):
                        last[part.cell] = model.number(part.value)
        for (address, size), value in last.items():
            owner = world.objects.near(address)
            writers = {write.thread for write in world.facts.writes[address, size]}
            if size and owner is not None and owner.storage is ObjectStorage.GLOBAL and writers == {thread.number}:
                data, _ = view.raw(view.find(address), address, size)
                assert int.from_bytes(data, "little") == value, (seed, owner.name)
                compared += 1
    return compared
