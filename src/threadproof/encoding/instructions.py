"""What single instructions do to a thread's registers and cells."""

from __future__ import annotations

from threadproof.core.memory_model import MemoryModel
from threadproof.encoding.encoded import Encoded, Environment, Unsupported
from threadproof.encoding.events import Atomic, Kind, Limit, Why
from threadproof.encoding.expressions import address, condition, value
from threadproof.encoding.memory import Access, Memory
from threadproof.encoding.objects import Object, Storage
from threadproof.encoding.places import Target
from threadproof.encoding.state import Registers
from threadproof.encoding.sync_steps import Sync
from threadproof.encoding.world import Block, Ends, Freeing, Step, World
from threadproof.ir import instr as ir
from threadproof.ir.expr import Binary, Compare, Convert, Expr, children, walk
from threadproof.ir.instr import Fill, Order, RmwOp, UndefinedKind
from threadproof.smt.term import Op, Term

MAX_OBJECT = 1 << 20
_RMW = {RmwOp.ADD: Op.ADD, RmwOp.SUB: Op.SUB, RmwOp.AND: Op.BVAND, RmwOp.OR: Op.BVOR, RmwOp.XOR: Op.BVXOR}


class Instructions:
    def __init__(self, world: World, memory: Memory, sync: Sync) -> None:
        self._world = world
        self._terms = world.terms
        self._memory = memory
        self._sync = sync

    # --- expressions -------------------------------------------------------------------------------------------------

    def environment(self, step: Step, registers: Registers) -> Environment:
        terms = self._terms
        tls = terms.bv(step.thread.tls, self._world.pointer_bits)
        here = Environment(self._world.layout, registers, tls, lambda expr: self._memory.places.zones(base(expr)))

        def base(expr: Expr) -> Term:
            return value(terms, here, expr).value

        return here

    def checked(self, step: Step, found: Encoded) -> Term:
        self._world.definitions.extend(found.definitions)
        for trap in found.traps:
            self._world.end(step, trap.condition, trap.what)
        return found.value

    def value(self, step: Step, registers: Registers, expr: Expr) -> Term:
        self._watch(step, registers, expr)
        found = self.checked(step, value(self._terms, self.environment(step, registers), expr))
        return self._world.values.folded(found)

    def condition(self, step: Step, registers: Registers, expr: Expr) -> Term:
        self._watch(step, registers, expr)
        found = self.checked(step, condition(self._terms, self.environment(step, registers), expr))
        return self._world.values.folded(found)

    # --- addresses of freed blocks -----------------------------------------------------------------------------------

    def _watch(self, step: Step, registers: Registers, expr: Expr) -> None:
        """Notes where the address of a freed block is more than handed on: it could be that of a new one."""
        world = self._world
        if world.compared or not any(world.objects.is_heap(start) for start in world.facts.ended):
            return
        here = self.environment(step, registers)
        for part in walk(expr):
            if isinstance(part, Compare):
                self._compared(*(value(self._terms, here, side).value for side in (part.left, part.right)))
            elif isinstance(part, Binary | Convert):
                for side in children(part):
                    self._looked_at(value(self._terms, here, side).value)

    def _looked_at(self, term: Term) -> None:
        owners = self._memory.places.owners(term)
        if any(o.storage is Storage.HEAP and o.start in self._world.facts.ended for o in owners):
            self._world.compared = True

    def _compared(self, left: Term, right: Term) -> None:
        """Nothing is learnt from a comparison with null, or with what is not on the heap."""
        for one, two in ((left, right), (right, left)):
            owners = self._memory.places.owners(two)
            elsewhere = bool(owners) and all(o.storage is not Storage.HEAP for o in owners)
            if self._world.values.of(two) != frozenset((0,)) and not elsewhere:
                self._looked_at(one)

    def _address(self, step: Step, registers: Registers, expr: Expr) -> Term:
        self._watch(step, registers, expr)
        found = self.checked(step, address(self._terms, self.environment(step, registers), expr))
        return self._world.values.folded(found)

    # --- instructions ------------------------------------------------------------------------------------------------

    def execute(self, step: Step, registers: Registers, locals_: list[Object]) -> None:
        instr = step.instr
        match instr:
            case ir.Assign():
                registers[instr.dst.name] = self.value(step, registers, instr.value)
            case ir.Load():
                self._load(step, registers, instr)
            case ir.Store():
                self._store(step, registers, instr)
            case ir.Alloc():
                self._alloc(step, registers, instr, locals_)
            case ir.Free():
                self._free(step, registers, instr)
            case ir.Rmw():
                self._rmw(step, registers, instr)
            case ir.CompareExchange():
                self._compare_exchange(step, registers, instr)
            case ir.Nondet():
                self._nondet(step, registers, instr)
            case ir.Assume():
                self._assume(step, self.condition(step, registers, instr.condition))
            case ir.Fence():
                self._world.log(step, visible=True)
                event = self._world.event(step, Kind.FENCE, drains=instr.order is Order.SEQ_CST)
                event.releases = instr.order in (Order.RELEASE, Order.ACQ_REL)
            case ir.Sync():
                self._synchronise(step, registers, instr)
            case ir.StackSave():
                registers[instr.dst.name] = self._terms.bv(len(locals_), instr.dst.width)
            case ir.StackRestore():
                self._restore(step, registers, instr, locals_)
            case ir.ObjectSize():
                self._object_size(step, registers, instr)
            case _:
                self._world.end(step, self._terms.true, Unsupported(type(instr).__name__))

    def _assume(self, step: Step, truth: Term) -> None:
        """If it does not hold, the program ends, for what is asked at its end."""
        if step.alive and self._world.bounds.ends is Ends.POINTERS:
            failing = Step(step.thread, step.state.copy(), step.function, step.instr, (step.site, "fails"))
            self._world.assume(failing, self._terms.not_(truth))
            if failing.alive:
                self._memory.stop(failing)
        if step.alive:
            self._world.halts.append(self._terms.all((*step.state.guard, self._terms.not_(truth))))
        self._world.assume(step, truth)

    def _atomic(self, step: Step, order: Order) -> Atomic:
        return Atomic.ATOMIC if order is not Order.PLAIN or step.state.depth else Atomic.PLAIN

    def _draining(self, step: Step, atomic: Atomic) -> Access:
        """Under weak memory, what waits for an empty store buffer is an event whatever it accesses."""
        access = Access(step, atomic, drains=True)
        if self._world.model is not MemoryModel.SC:
            access.needed(self._world)
        return access

    def _log(self, step: Step, targets: list[Target]) -> None:
        self._world.log(step, visible=any(not target.object.private for target in targets))

    def _load(self, step: Step, registers: Registers, instr: ir.Load) -> None:
        where = self._address(step, registers, instr.address)
        targets = self._memory.targets(step, where, instr.size) if step.alive else []
        if not step.alive:
            return
        self._log(step, targets)
        access = Access(step, self._atomic(step, instr.order), drains=False)
        found = self._memory.read(access, targets, instr.size)
        registers[instr.dst.name] = self._terms.extract(found, instr.dst.width - 1, 0)
        assert step.entry is not None
        step.entry.choice = found

    def _store(self, step: Step, registers: Registers, instr: ir.Store) -> None:
        where = self._address(step, registers, instr.address)
        stored = self.value(step, registers, instr.value)
        targets = self._memory.targets(step, where, instr.size) if step.alive else []
        if not step.alive:
            return
        self._log(step, targets)
        atomic = self._atomic(step, instr.order)
        if instr.order is Order.SEQ_CST:
            access = self._draining(step, atomic)
        else:
            access = Access(step, atomic, drains=False, releases=instr.order is Order.RELEASE)
        self._memory.write(access, targets, instr.size, self._terms.zext(stored, 8 * instr.size))

    def _rmw(self, step: Step, registers: Registers, instr: ir.Rmw) -> None:
        where = self._address(step, registers, instr.address)
        operand = self.value(step, registers, instr.value)
        targets = self._memory.targets(step, where, instr.size) if step.alive else []
        if not step.alive:
            return
        self._log(step, targets)
        access = self._draining(step, Atomic.ATOMIC)
        old = self._memory.read(access, targets, instr.size)
        operand = self._terms.zext(operand, 8 * instr.size)
        self._memory.write(access, targets, instr.size, self._combined(instr.op, old, operand))
        registers[instr.dst.name] = self._terms.extract(old, instr.dst.width - 1, 0)
        assert step.entry is not None
        step.entry.choice = old

    def _combined(self, op: RmwOp, old: Term, operand: Term) -> Term:
        terms = self._terms
        match op:
            case RmwOp.XCHG:
                return operand
            case RmwOp.NAND:
                return terms.make(Op.BVNOT, (terms.make(Op.BVAND, (old, operand)),))
            case RmwOp.MAX | RmwOp.MIN:
                less = terms.slt(old, operand)
                return terms.ite(less, operand, old) if op is RmwOp.MAX else terms.ite(less, old, operand)
            case RmwOp.UMAX | RmwOp.UMIN:
                less = terms.ult(old, operand)
                return terms.ite(less, operand, old) if op is RmwOp.UMAX else terms.ite(less, old, operand)
            case _:
                return terms.make(_RMW[op], (old, operand))

    def _compare_exchange(self, step: Step, registers: Registers, instr: ir.CompareExchange) -> None:
        terms = self._terms
        where = self._address(step, registers, instr.address)
        expected = self.value(step, registers, instr.expected)
        desired = self.value(step, registers, instr.desired)
        targets = self._memory.targets(step, where, instr.size) if step.alive else []
        if not step.alive:
            return
        self._log(step, targets)
        access = self._draining(step, Atomic.ATOMIC)
        old = self._memory.read(access, targets, instr.size)
        self._compared(old, expected)
        same = self._world.values.folded(terms.eq(old, terms.zext(expected, 8 * instr.size)))
        new = terms.zext(desired, 8 * instr.size)
        only = [Target(t.object, t.offset, terms.and_(t.when, same)) for t in targets]
        if same is not terms.false:
            self._memory.write(access, only, instr.size, new)
        registers[instr.old.name] = terms.extract(old, instr.old.width - 1, 0)
        registers[instr.success.name] = terms.ite(same, terms.bv(1, 1), terms.bv(0, 1))
        assert step.entry is not None
        step.entry.choice = old

    def _nondet(self, step: Step, registers: Registers, instr: ir.Nondet) -> None:
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

    def _synchronise(self, step: Step, registers: Registers, instr: ir.Sync) -> None:
        args = [self.value(step, registers, arg) for arg in instr.args]
        if not step.alive:
            return
        self._world.log(step, visible=True)
        if instr.op == "thread_exit":
            return
        result = self._sync.operation(step, instr.op, args)
        if instr.dst is not None and step.alive:
            given = self._terms.bv(0, 32) if result is None else result
            width = instr.dst.width
            fitted = (
                self._terms.extract(given, width - 1, 0) if given.width >= width else self._terms.zext(given, width)
            )
            registers[instr.dst.name] = self._world.values.folded(fitted)

    # --- objects -----------------------------------------------------------------------------------------------------

    def _alloc(self, step: Step, registers: Registers, instr: ir.Alloc, locals_: list[Object]) -> None:
        world, terms = self._world, self._terms
        size = self.value(step, registers, instr.size)
        if not step.alive:
            return
        heap = instr.storage is ir.Storage.HEAP
        if heap:
            world.log(step, visible=True)
            world.event(step, Kind.FENCE, drains=False)
        extent = None if size.op is Op.VALUE else self._fitted_size(step, size)
        room = world.bounds.size if extent is not None else size.value
        if room > MAX_OBJECT:
            world.end(step, terms.true, Unsupported("a large block"))
            return
        storage = Storage.HEAP if heap else Storage.STACK
        name = instr.name or f"malloc@{instr.loc.line}"
        content = bytes(room) if instr.fill is Fill.ZERO else None
        private = name in world.program.functions[step.function].unshared and not heap
        key = (step.thread.number, step.site, room, extent)
        owner = world.objects.instance(key, room, name, storage, content, private, extent)
        if heap:
            world.heap[owner.start] = Block(owner, step.state.guard, step.thread.number, len(step.thread.events) - 1)
        else:
            locals_.append(owner)
        registers[instr.dst.name] = terms.bv(owner.start, instr.dst.width)

    def _fitted_size(self, step: Step, size: Term) -> Term:
        """A size that is not known, as wide as an address; sizes beyond the addresses kept free are a limit."""
        world, terms = self._world, self._terms
        most = terms.bv(world.objects.reserve, size.width)
        world.end(step, terms.ult(most, size), Limit(Why.SIZE))
        width = world.pointer_bits
        return terms.extract(size, width - 1, 0) if size.width > width else terms.zext(size, width)

    def _free(self, step: Step, registers: Registers, instr: ir.Free) -> None:
        world, terms = self._world, self._terms
        where = self.value(step, registers, instr.address)
        if not step.alive:
            return
        world.log(step, visible=True)
        numbers = world.values.of(where)
        if numbers is None:
            world.end(step, terms.true, Unsupported("freeing a block that could be any"))
            return
        access = self._draining(step, Atomic.NO_ACCESS)
        for number in sorted(numbers - {0}):
            when = terms.true if len(numbers) == 1 else terms.eq(where, terms.bv(number, where.width))
            owner = world.objects.near(number)
            if owner is None or owner.storage is not Storage.HEAP or owner.start != number:
                world.end(step, when, UndefinedKind.INVALID_FREE)
                continue
            alive = self._memory.life(access, owner, when)
            world.end(step, terms.and_(when, terms.not_(alive)), UndefinedKind.DOUBLE_FREE)
            self._memory.end_life(access, owner, when)
            happens = terms.all((*step.state.guard, when))
            freeing = Freeing(step.thread.number, len(step.thread.events), dict(step.state.clock), happens)
            world.frees[owner.start].append(freeing)

    def _object_size(self, step: Step, registers: Registers, instr: ir.ObjectSize) -> None:
        world, terms = self._world, self._terms
        where = self.value(step, registers, instr.address)
        found = terms.bv(0, instr.dst.width)
        numbers = world.values.of(where)
        if numbers is None:
            world.end(step, terms.true, Unsupported("a block that could be any"))
            return
        access = Access(step, Atomic.NO_ACCESS, drains=False)
        for number in sorted(numbers):
            when = terms.eq(where, terms.bv(number, where.width))
            owner = world.objects.near(number)
            if owner is None or owner.storage is not Storage.HEAP or owner.start != number:
                world.end(step, when, UndefinedKind.INVALID_FREE)
                continue
            alive = self._memory.life(access, owner, when)
            world.end(step, terms.and_(when, terms.not_(alive)), UndefinedKind.DOUBLE_FREE)
            whole = terms.bv(owner.size, world.pointer_bits) if owner.extent is None else owner.extent
            whole = terms.extract(terms.zext(whole, max(whole.width, instr.dst.width)), instr.dst.width - 1, 0)
            found = terms.ite(when, whole, found)
        registers[instr.dst.name] = found

    def _restore(self, step: Step, registers: Registers, instr: ir.StackRestore, locals_: list[Object]) -> None:
        """Ends the life of locals from a mark on: how many there were, or the first of them."""
        mark = self.value(step, registers, instr.address)
        if mark.op is not Op.VALUE:
            self._world.end(step, self._terms.true, Unsupported("a stack that ends in several places"))
            return
        first = next((i for i, owner in enumerate(locals_) if owner.start == mark.value), mark.value)
        for owner in locals_[first:]:
            access = Access(step, Atomic.NO_ACCESS, drains=True)
            self._memory.end_life(access, owner, self._terms.true)
        del locals_[first:]
