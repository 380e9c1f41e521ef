"""A function made ready to run: a flat list of operations, one per instruction.

An operation is a closure that works on the running step and answers the next pc, or STOP if it is visible to other
threads and belongs to the next step. An operation that stops or traps has changed nothing.
"""

from __future__ import annotations

from typing import Any

from threadproof.core.source import SourceLoc
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import control_flow
from threadproof.ir.expr import Const, Expr, Reg, registers
from threadproof.ir.instr import Edge, Fill, Instr, Order, Purpose, Storage, UndefinedKind
from threadproof.ir.layout import Layout
from threadproof.ir.liveness import live_before
from threadproof.ir.program import Function
from threadproof.semantics.cancellation import end_cancelled, ends_here
from threadproof.semantics.evaluate import Evaluator, ExpressionCompiler
from threadproof.semantics.ops import RMW, Op, assign, atomic_begin, atomic_end, ending, set_register
from threadproof.semantics.outcome import Happening, Telling, Trap, Unsupportable
from threadproof.semantics.run import STOP, HaltHere, Run, fitted
from threadproof.semantics.state import Sharing
from threadproof.semantics.sync_ops import SyncOps
from threadproof.sync.facts import Act, Family, Seen, sync_facts
from threadproof.sync.footprint import Mode, Touch, tells_who_was_last
from threadproof.sync.operations import OPERATIONS

RUNTIME = "<runtime>"


class FailHere(Exception):
    """Inside a step: an error instruction was reached."""

    def __init__(self, instr: ir.Error) -> None:
        super().__init__(instr)
        self.instr = instr


class AssumeHere(Exception):
    """Inside a step: an assumption failed."""


class Code:
    """One function, compiled."""

    def __init__(self, function: Function, layout: Layout, sync: SyncOps, cache: dict[str, Evaluator]) -> None:
        self.name = function.name
        self.function = function
        self._sync = sync
        self._slots = _slots(function)
        self.slot_count = len(self._slots)
        self.params = tuple(self._slots[param.name] for param in function.params)
        self._compiler = ExpressionCompiler(layout, self._slots, cache)
        flow = control_flow(function)
        self.instrs, self._starts = flow.instrs, flow.starts
        live = live_before(function)
        self._live = [point for block in function.blocks for point in live[block.label]]
        self._kept: dict[int, list[bool]] = {}
        self._kept_over: dict[int, list[bool]] = {}
        self._copies = _copied_registers(function)
        self.ops: list[Op] = [self._compile(pc, instr) for pc, instr in enumerate(self.instrs)]

    # --- registers that matter -----------------------------------------------------------------------------------

    def kept_at(self, regs: list[Any], pc: int) -> tuple[Any, ...]:
        """The registers as they are stored in a state: dead ones are forgotten."""
        keep = self._kept.get(pc)
        if keep is None:
            keep = self._kept[pc] = self._mask(self._live[pc])
        return tuple([v if k else None for v, k in zip(regs, keep, strict=True)])

    def kept_over_call(self, regs: list[Any], return_pc: int) -> tuple[Any, ...]:
        keep = self._kept_over.get(return_pc)
        if keep is None:
            result = {reg.name for reg in ir.defs(self.instrs[return_pc - 1])}
            keep = self._kept_over[return_pc] = self._mask(self._live[return_pc] - result)
        return tuple([v if k else None for v, k in zip(regs, keep, strict=True)])

    def slot(self, register: str) -> int:
        """Where the registers of a running frame hold this one."""
        return self._slots[register]

    def value(self, expr: Expr) -> Evaluator:
        """An expression of this function, ready to be evaluated in a running step."""
        return self._compiler.compile(expr)

    def register(self, regs: tuple[Any, ...], name: str) -> Any:
        """A register's value in a stored frame; None if there is no such register or it is dead."""
        slot = self._slots.get(name)
        return None if slot is None else regs[slot]

    def _mask(self, live: frozenset[str]) -> list[bool]:
        mask = [False] * (self.slot_count + 1)
        mask[0] = True
        for name in live:
            mask[self._slots[name]] = True
        return mask

    def result(self, return_pc: int) -> tuple[int, int] | None:
        """Slot and width of the register that the call before `return_pc` fills."""
        call = self.instrs[return_pc - 1]
        assert isinstance(call, ir.Call)
        return None if call.dst is None else (self._slots[call.dst.name], call.dst.width)

    # --- instructions ----------------------------------------------------------------------------------------------

    def _eval(self, expr: Expr) -> Evaluator:
        return self._compiler.compile(expr)

    def _slot(self, reg: Reg) -> int:
        return self._slots[reg.name]

    def _compile(self, pc: int, instr: Instr) -> Op:
        match instr:
            case ir.Assign():
                return assign(self._slot(instr.dst), self._eval(instr.value), pc + 1)
            case ir.Load():
                return self._load(instr, pc + 1)
            case ir.Store():
                return self._store(instr, pc + 1)
            case ir.Jump():
                return self._edge(instr.edge)
            case ir.Branch():
                return self._branch(instr)
            case ir.Switch():
                return self._switch(instr)
            case ir.Call():
                return self._call(instr, pc + 1)
            case ir.Return():
                return self._return(instr)
            case ir.Alloc():
                return self._alloc(instr, pc + 1)
            case ir.Sync():
                return self._sync_op(instr, pc + 1)
            case ir.Rmw():
                return self._rmw(instr, pc + 1)
            case ir.CompareExchange():
                return self._compare_exchange(instr, pc + 1)
            case ir.Nondet():  # a value nobody reads is no choice
                return self._nondet(instr, pc + 1)
            case ir.Assume():
                return self._assume(instr, pc + 1)
            case _:
                return self._rare(instr, pc + 1)

    def _load(self, instr: ir.Load, after: int) -> Op:
        address, slot, size, loc = self._eval(instr.address), self._slot(instr.dst), instr.size, instr.loc
        atomic, moves = instr.order is not Order.PLAIN, instr.purpose is Purpose.MOVE
        mask = (1 << instr.dst.width) - 1 if instr.dst.width < 8 * size else None

        def load(run: Run) -> int:
            value = run.load(address(run.r, run), size, atomic, loc)
            if value is None:
                return STOP
            run.r[slot] = value if mask is None else value & mask
            return after

        def copy(run: Run) -> int:
            value = run.load_raw(address(run.r, run), size, moves, loc)
            if value is None:
                return STOP
            run.r[slot] = value
            return after

        copied = instr.purpose is not Purpose.VALUE or instr.dst.name in self._copies
        return copy if copied and mask is None else load

    def _store(self, instr: ir.Store, after: int) -> Op:
        address, value, size, loc = self._eval(instr.address), self._eval(instr.value), instr.size, instr.loc
        order = instr.order

        def store(run: Run) -> int:
            done = run.store(address(run.r, run), value(run.r, run), size, order, loc)
            return after if done else STOP

        return store

    def _edge(self, edge: Edge) -> Op:
        target = self._starts[edge.target]
        moves = [(self._slot(dst), self._eval(value)) for dst, value in edge.moves]
        if not moves:
            return lambda run: target
        if len(moves) == 1:
            return assign(*moves[0], target)

        def move(run: Run) -> int:
            values = [value(run.r, run) for _, value in moves]
            for (slot, _), value in zip(moves, values, strict=True):
                run.r[slot] = value
            return target

        return move

    def _branch(self, instr: ir.Branch) -> Op:
        condition, then, otherwise = self._eval(instr.condition), self._edge(instr.then), self._edge(instr.otherwise)
        return lambda run: then(run) if condition(run.r, run) else otherwise(run)

    def _switch(self, instr: ir.Switch) -> Op:
        value, default = self._eval(instr.value), self._edge(instr.default)
        cases = {constant: self._edge(edge) for constant, edge in instr.cases}
        return lambda run: cases.get(value(run.r, run), default)(run)

    def _call(self, instr: ir.Call, after: int) -> Op:
        args = [self._eval(arg) for arg in instr.args]
        if isinstance(instr.callee, str):
            name = instr.callee
            return lambda run: run.call(run.static.codes[name], [arg(run.r, run) for arg in args], after)
        callee = self._eval(instr.callee)
        widths = [arg.width for arg in instr.args]

        def indirect(run: Run) -> int:
            code = run.static.functions_at.get(callee(run.r, run))
            if code is None:
                raise Trap(UndefinedKind.WILD_CALL)
            if not code.function.takes(len(args)):
                raise Trap(UndefinedKind.BAD_CALL, code.name)
            given = zip(args, widths, code.function.params, strict=False)
            return run.call(code, [fitted(arg(run.r, run), w, param.width) for arg, w, param in given], after)

        return indirect

    def _return(self, instr: ir.Return) -> Op:
        value = self._eval(instr.value if instr.value is not None else Const(0, 32))
        return lambda run: run.leave(value(run.r, run))

    def _alloc(self, instr: ir.Alloc, after: int) -> Op:
        slot, size, loc, name = self._slot(instr.dst), self._eval(instr.size), instr.loc, instr.name
        zeroed = instr.fill is Fill.ZERO
        if instr.storage is Storage.STACK:
            sharing = Sharing.UNSHARED if name in self.function.unshared else Sharing.SHARED

            def push(run: Run) -> int:
                run.r[slot] = run.allocate_stack(size(run.r, run), name, instr.align, sharing)
                return after

            return push

        site = name or f"malloc at line {loc.line}"

        def heap(run: Run) -> int:
            if not run.open:
                return STOP
            run.r[slot] = run.allocate_heap(size(run.r, run), site, zeroed, loc)
            return after

        return heap

    def _sync_op(self, instr: ir.Sync, after: int) -> Op:
        args = [self._eval(arg) for arg in instr.args]
        slot = None if instr.dst is None else self._slot(instr.dst)
        mask = 0 if instr.dst is None else (1 << instr.dst.width) - 1
        operation, facts, loc = OPERATIONS[instr.op], sync_facts(instr), instr.loc
        if facts.family is Family.BLOCK:
            return atomic_begin(after) if facts.act is Act.BEGIN else atomic_end(after)
        if facts.act is Act.EXIT:
            return self._thread_exit(instr.op, args[0], loc)
        action, local = self._sync.action(instr.op), facts.seen is Seen.BY_NOBODY
        who_was_last = facts.act is Act.ARRIVE and tells_who_was_last(self.function)

        def act(run: Run) -> int:
            if not run.open and not local:
                return STOP
            values = [arg(run.r, run) for arg in args]
            if ends_here(run, operation, values, self._sync, loc):
                return end_cancelled(run, operation, values, self._sync, loc)
            result = action(run, values, loc)
            if slot is not None:
                run.r[slot] = result & mask if isinstance(result, int) else result
            if who_was_last:
                run.effects.append(Touch(values[0], 1, Mode.WRITE))
            if not local:
                run.effects.append(Happening(Telling.SYNC, instr.op, loc, values[0] if values else 0, result))
            return after

        return act

    def _thread_exit(self, name: str, value: Evaluator, loc: SourceLoc) -> Op:
        def leave(run: Run) -> int:
            result = run.end_thread(value(run.r, run))
            if result != STOP:
                run.effects.append(Happening(Telling.SYNC, name, loc))
            return result

        return leave

    def _rmw(self, instr: ir.Rmw, after: int) -> Op:
        address, operand, slot = self._eval(instr.address), self._eval(instr.value), self._slot(instr.dst)
        size, loc, width = instr.size, instr.loc, 8 * instr.size
        combine = RMW[instr.op]
        adds = instr.op in (ir.RmwOp.ADD, ir.RmwOp.SUB) and instr.dst.name not in self._live[after]

        def rmw(run: Run) -> int:
            where = address(run.r, run)
            old = run.load(where, size, True, loc)
            if old is None:
                return STOP
            new = combine(old, operand(run.r, run), width) & ((1 << width) - 1)
            run.update(where, old, new, size, loc, adds)
            run.r[slot] = old
            return after

        return rmw

    def _compare_exchange(self, instr: ir.CompareExchange, after: int) -> Op:
        address, size, loc = self._eval(instr.address), instr.size, instr.loc
        expected, desired = self._eval(instr.expected), self._eval(instr.desired)
        old_slot, ok_slot = self._slot(instr.old), self._slot(instr.success)

        def exchange(run: Run) -> int:
            where = address(run.r, run)
            old = run.load(where, size, True, loc)
            if old is None:
                return STOP
            success = old == expected(run.r, run)
            if success:
                run.update(where, old, desired(run.r, run), size, loc)
            run.r[old_slot], run.r[ok_slot] = old, int(success)
            return after

        return exchange

    def _nondet(self, instr: ir.Nondet, after: int) -> Op:
        slot, width = self._slot(instr.dst), instr.dst.width
        if instr.dst.name not in self._live[after]:
            return assign(slot, self._eval(Const(instr.low & ((1 << width) - 1), width)), after)

        def nondet(run: Run) -> int:
            run.r[slot] = run.choose(instr.source, instr.low, instr.high, width, instr.loc, instr.values)
            return after

        return nondet

    def _assume(self, instr: ir.Assume, after: int) -> Op:
        condition = self._eval(instr.condition)

        def assume(run: Run) -> int:
            if condition(run.r, run):
                return after
            if not run.open:
                return STOP
            raise AssumeHere

        return assume

    def _rare(self, instr: Instr, after: int) -> Op:
        match instr:
            case ir.Fence():
                return lambda run: after if run.open else STOP
            case ir.Free():
                return self._free(instr, after)
            case ir.ObjectSize():
                slot, address = self._slot(instr.dst), self._eval(instr.address)
                return lambda run: set_register(run, slot, run.block_size(address(run.r, run)), after)
            case ir.StackSave():
                save = self._slot(instr.dst)
                return lambda run: set_register(run, save, run.thread.cursor, after)
            case ir.StackRestore():
                return self._restore(self._eval(instr.address), after)
            case ir.Error():
                return ending(lambda: FailHere(instr))
            case ir.Halt():
                return ending(lambda: HaltHere(instr.kind))
            case ir.Undefined():
                return ending(lambda: Trap(instr.kind))
            case ir.Unsupported():
                return ending(lambda: Unsupportable(instr.construct))
            case _:
                raise AssertionError(f"no operation for {instr}")

    def _free(self, instr: ir.Free, after: int) -> Op:
        address, loc = self._eval(instr.address), instr.loc

        def free(run: Run) -> int:
            if not run.open:
                return STOP
            block = address(run.r, run)
            if block != 0:
                run.free(block, loc)
                run.effects.append(Happening(Telling.SYNC, "free", loc, block))
            return after

        return free

    def _restore(self, address: Evaluator, after: int) -> Op:
        def restore(run: Run) -> int:
            cursor = address(run.r, run)
            mark = sum(1 for obj in run.thread.stack if obj.start < cursor)
            kept = self.kept_at(run.r, after)[1:]
            return after if run.drop_stack(mark, cursor, kept) else STOP

        return restore


def _slots(function: Function) -> dict[str, int]:
    names = [param.name for param in function.params]
    for instr in function.instrs():
        names.extend(reg.name for reg in ir.defs(instr))
        names.extend(dst.name for edge in ir.edges(instr) for dst, _ in edge.moves)
    return {name: slot for slot, name in enumerate(dict.fromkeys(names), start=1)}


def _copied_registers(function: Function) -> frozenset[str]:
    """Registers of the runtime library that are loaded only to be stored: copies keep arbitrary bytes arbitrary."""
    if function.loc.file != RUNTIME:
        return frozenset()
    used: dict[str, int] = {}
    stored: set[str] = set()
    for instr in function.instrs():
        for expr in ir.all_uses(instr):
            for name in registers(expr):
                used[name] = used.get(name, 0) + 1
        if isinstance(instr, ir.Store) and isinstance(instr.value, Reg):
            stored.add(instr.value.name)
    return frozenset(name for name in stored if used[name] == 1)
