"""What single instructions do to a thread's registers and cells."""

from __future__ import annotations

from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.read_modify_write import combined
from threadproof.engines.bmc.unwinding.allocation import Allocation
from threadproof.engines.bmc.unwinding.evaluation import Evaluation
from threadproof.engines.bmc.unwinding.events import Atomic, EventRole
from threadproof.engines.bmc.unwinding.memory import PendingAccess, UnwoundMemory
from threadproof.engines.bmc.unwinding.objects import UnwoundObject
from threadproof.engines.bmc.unwinding.places import Target
from threadproof.engines.bmc.unwinding.state import Registers
from threadproof.engines.bmc.unwinding.sync_steps import SyncSteps
from threadproof.engines.bmc.unwinding.world import Ends, Unwound, UnwoundStep
from threadproof.ir import instr as ir
from threadproof.ir.instr import Order
from threadproof.smt.term import Term
from threadproof.sync.facts import Act, does


class Instructions:
    def __init__(self, world: Unwound, memory: UnwoundMemory, sync: SyncSteps, evaluation: Evaluation) -> None:
        self._world = world
        self._terms = world.terms
        self._memory = memory
        self._sync = sync
        self._evaluation = evaluation
        self._allocation = Allocation(world, memory, evaluation)

    def execute(self, step: UnwoundStep, registers: Registers, locals_: list[UnwoundObject]) -> None:
        instr = step.instr
        match instr:
            case ir.Assign():
                registers[instr.dst.name] = self._evaluation.value(step, registers, instr.value)
            case ir.Load():
                self._load(step, registers, instr)
            case ir.Store():
                self._store(step, registers, instr)
            case ir.Alloc():
                self._allocation.alloc(step, registers, instr, locals_)
            case ir.Free():
                self._allocation.free(step, registers, instr)
            case ir.Rmw():
                self._rmw(step, registers, instr)
            case ir.CompareExchange():
                self._compare_exchange(step, registers, instr)
            case ir.Nondet():
                self._nondet(step, registers, instr)
            case ir.Assume():
                self._assume(step, self._evaluation.condition(step, registers, instr.condition))
            case ir.Fence():
                self._world.log(step, visible=True)
                event = self._world.event(step, EventRole.FENCE, drains=instr.order is Order.SEQ_CST)
                event.releases = instr.order in (Order.RELEASE, Order.ACQ_REL)
            case ir.Sync():
                self._synchronise(step, registers, instr)
            case ir.StackSave():
                registers[instr.dst.name] = self._terms.bv(len(locals_), instr.dst.width)
            case ir.StackRestore():
                self._allocation.restore(step, registers, instr, locals_)
            case ir.ObjectSize():
                self._allocation.object_size(step, registers, instr)
            case _:
                self._world.end(step, self._terms.true, NotEncoded(type(instr).__name__))

    def _assume(self, step: UnwoundStep, truth: Term) -> None:
        """If it does not hold, the program ends, for what is asked at its end."""
        if step.alive and self._world.bounds.ends is Ends.POINTERS:
            failing = UnwoundStep(step.thread, step.state.copy(), step.function, step.instr, (step.site, "fails"))
            self._world.assume(failing, self._terms.not_(truth))
            if failing.alive:
                self._memory.stop(failing)
        if step.alive:
            self._world.halts.append(self._terms.all((*step.state.guard, self._terms.not_(truth))))
        self._world.assume(step, truth)

    def _atomic(self, step: UnwoundStep, order: Order) -> Atomic:
        return Atomic.ATOMIC if order is not Order.PLAIN or step.state.depth else Atomic.PLAIN

    def _targets(self, step: UnwoundStep, where: Term, size: int) -> list[Target] | None:
        """What an access is to, which is a step of its own from here on; None if the path has ended."""
        targets = self._memory.targets(step, where, size) if step.alive else []
        if not step.alive:
            return None
        self._world.log(step, visible=any(not target.object.private for target in targets))
        return targets

    def _load(self, step: UnwoundStep, registers: Registers, instr: ir.Load) -> None:
        where = self._evaluation.address(step, registers, instr.address)
        targets = self._targets(step, where, instr.size)
        if targets is None:
            return
        access = PendingAccess(step, self._atomic(step, instr.order), drains=False)
        found = self._memory.read(access, targets, instr.size)
        registers[instr.dst.name] = self._terms.extract(found, instr.dst.width - 1, 0)
        assert step.entry is not None
        step.entry.choice = found

    def _store(self, step: UnwoundStep, registers: Registers, instr: ir.Store) -> None:
        where = self._evaluation.address(step, registers, instr.address)
        stored = self._evaluation.value(step, registers, instr.value)
        targets = self._targets(step, where, instr.size)
        if targets is None:
            return
        atomic = self._atomic(step, instr.order)
        if instr.order is Order.SEQ_CST:
            access = self._memory.draining(step, atomic)
        else:
            access = PendingAccess(step, atomic, drains=False, releases=instr.order is Order.RELEASE)
        self._memory.write(access, targets, instr.size, self._terms.zext(stored, 8 * instr.size))

    def _rmw(self, step: UnwoundStep, registers: Registers, instr: ir.Rmw) -> None:
        where = self._evaluation.address(step, registers, instr.address)
        operand = self._evaluation.value(step, registers, instr.value)
        targets = self._targets(step, where, instr.size)
        if targets is None:
            return
        access = self._memory.draining(step, Atomic.ATOMIC)
        old = self._memory.read(access, targets, instr.size)
        operand = self._terms.zext(operand, 8 * instr.size)
        self._memory.write(access, targets, instr.size, combined(self._terms, instr.op, old, operand))
        registers[instr.dst.name] = self._terms.extract(old, instr.dst.width - 1, 0)
        assert step.entry is not None
        step.entry.choice = old

    def _compare_exchange(self, step: UnwoundStep, registers: Registers, instr: ir.CompareExchange) -> None:
        terms = self._terms
        where = self._evaluation.address(step, registers, instr.address)
        expected = self._evaluation.value(step, registers, instr.expected)
        desired = self._evaluation.value(step, registers, instr.desired)
        targets = self._targets(step, where, instr.size)
        if targets is None:
            return
        access = self._memory.draining(step, Atomic.ATOMIC)
        old = self._memory.read(access, targets, instr.size)
        self._evaluation.compared(old, expected)
        same = self._world.values.folded(terms.eq(old, terms.zext(expected, 8 * instr.size)))
        new = terms.zext(desired, 8 * instr.size)
        only = [Target(t.object, t.offset, terms.and_(t.when, same)) for t in targets]
        if same is not terms.false:
            self._memory.write(access, only, instr.size, new)
        registers[instr.old.name] = terms.extract(old, instr.old.width - 1, 0)
        registers[instr.success.name] = terms.ite(same, terms.bv(1, 1), terms.bv(0, 1))
        assert step.entry is not None
        step.entry.choice = old

    def _nondet(self, step: UnwoundStep, registers: Registers, instr: ir.Nondet) -> None:
        terms, width = self._terms, instr.dst.width
        variable = self._world.fresh(step, "any", width)
        if instr.high - instr.low < 16:
            possible = range(instr.low, instr.high + 1)
            self._world.values.declare(variable, frozenset(n & ((1 << width) - 1) for n in possible))
        else:
            self._world.values.declare(variable, None)
        low, high = terms.bv(instr.low, width), terms.bv(instr.high, width)
        if instr.low < 0:
            within = terms.and_(terms.sle(low, variable), terms.sle(variable, high))
        else:
            within = terms.and_(terms.ule(low, variable), terms.ule(variable, high))
        if instr.high - instr.low + 1 < 1 << width:
            self._world.definitions.append(within)
        registers[instr.dst.name] = self._world.values.folded(variable)
        self._world.log(step, visible=False, choice=variable)

    def _synchronise(self, step: UnwoundStep, registers: Registers, instr: ir.Sync) -> None:
        args = [self._evaluation.value(step, registers, arg) for arg in instr.args]
        if not step.alive:
            return
        self._world.log(step, visible=True)
        if does(instr, Act.EXIT):
            return
        result = self._sync.operation(step, instr.op, args)
        if instr.dst is not None and step.alive:
            given = self._terms.bv(0, 32) if result is None else result
            width = instr.dst.width
            fitted = (
                self._terms.extract(given, width - 1, 0) if given.width >= width else self._terms.zext(given, width)
            )
            registers[instr.dst.name] = self._world.values.folded(fitted)
