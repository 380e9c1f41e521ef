"""What single instructions do to the variables of a symbolic state."""

from __future__ import annotations

from threadproof.automaton.letters import Context
from threadproof.automaton.program import Instance
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.read_modify_write import combined
from threadproof.encoding.transitions.allocation import HugeBlocks, SlotAllocation
from threadproof.encoding.transitions.memory import CellMemory
from threadproof.encoding.transitions.operations import LetterOperations
from threadproof.encoding.transitions.run import LetterRun
from threadproof.encoding.transitions.space import Space
from threadproof.ir import instr as ir
from threadproof.ir.expr import Const
from threadproof.ir.instr import UndefinedKind
from threadproof.ir.program import Spurious
from threadproof.smt.term import Term

_SIZES = NotEncoded("a call whose argument or result has another size than the function says")


class LetterInstructions:
    def __init__(self, space: Space, memory: CellMemory, spurious: Spurious, huge: HugeBlocks) -> None:
        self._space = space
        self._terms = space.terms
        self._memory = memory
        self._allocation = SlotAllocation(space, memory, huge)
        self._operations = LetterOperations(space, memory, self._allocation, spurious)

    def execute(self, run: LetterRun, starts: list[Instance]) -> None:
        """`starts`: the instances for forks, from which they are taken."""
        instr = run.step.instr
        match instr:
            case ir.Assign():
                run.set_register(instr.dst.name, run.value(instr.value))
            case ir.Load():
                address = run.address(instr.address)
                value = run.loaded[run.index] = self._memory.read(run, instr.address, address, instr.size)
                self._accessed(run, instr, address, writes=False)
                run.set_register(instr.dst.name, self._terms.extract(value, instr.dst.width - 1, 0))
            case ir.Store():
                address, value = run.address(instr.address), run.value(instr.value)
                wide = self._terms.zext(value, 8 * instr.size)
                self._memory.write(run, instr.address, address, instr.size, wide)
                self._accessed(run, instr, address, writes=True)
            case ir.Rmw():
                self._rmw(run, instr)
            case ir.CompareExchange():
                self._compare_exchange(run, instr)
            case ir.Nondet():
                self._nondet(run, instr)
            case ir.Assume():
                run.assume(run.condition(instr.condition))
            case ir.Jump() | ir.Branch() | ir.Switch():
                self._branch(run, instr)
            case ir.Call():
                self._call(run, instr)
            case ir.Return():
                self._return(run, instr)
            case ir.Sync():
                self._operations.execute(run, instr, starts)
            case ir.Alloc() | ir.Free() | ir.ObjectSize() | ir.StackRestore():
                self._allocation.execute(run, instr)
            case ir.StackSave():  # which save a restore means is known without its value
                run.set_register(instr.dst.name, self._terms.bv(0, instr.dst.width))
            case ir.Fence() | ir.Error() | ir.Halt() | ir.Undefined() | ir.Unsupported():
                pass

    # --- accesses ----------------------------------------------------------------------------------------------------

    def _accessed(
        self,
        run: LetterRun,
        instr: ir.Load | ir.Store | ir.Rmw | ir.CompareExchange,
        address: Term,
        *,
        writes: bool,
        when: Term | None = None,
    ) -> None:
        reached = self._memory.reached(run, instr.address)
        run.access(reached, address, instr.size, writes=writes, atomic=instr.order is not ir.Order.PLAIN, when=when)

    def _rmw(self, run: LetterRun, instr: ir.Rmw) -> None:
        address, operand = run.address(instr.address), run.value(instr.value)
        old = self._memory.read(run, instr.address, address, instr.size)
        new = combined(self._terms, instr.op, old, self._terms.zext(operand, 8 * instr.size))
        self._memory.write(run, instr.address, address, instr.size, new)
        self._accessed(run, instr, address, writes=True)
        run.set_register(instr.dst.name, self._terms.extract(old, instr.dst.width - 1, 0))

    def _compare_exchange(self, run: LetterRun, instr: ir.CompareExchange) -> None:
        terms = self._terms
        address = run.address(instr.address)
        expected, desired = run.value(instr.expected), run.value(instr.desired)
        old = self._memory.read(run, instr.address, address, instr.size)
        same = terms.eq(old, terms.zext(expected, 8 * instr.size))
        new = terms.zext(desired, 8 * instr.size)
        self._memory.write(run, instr.address, address, instr.size, new, same)
        self._accessed(run, instr, address, writes=True, when=same)
        self._accessed(run, instr, address, writes=False, when=terms.not_(same))
        run.set_register(instr.old.name, terms.extract(old, instr.old.width - 1, 0))
        run.set_register(instr.success.name, terms.ite(same, terms.bv(1, 1), terms.bv(0, 1)))

    def _nondet(self, run: LetterRun, instr: ir.Nondet) -> None:
        site, terms, width = run.step.site, self._terms, instr.dst.width
        if instr.dst.name not in self._space.live(site.function, site.block, site.number + 1):
            return  # a value nobody reads is no choice
        if instr.low == instr.high:
            run.set_register(instr.dst.name, terms.bv(instr.low, width))
            return
        value = run.input(instr.source, width)
        low, high = terms.bv(instr.low, width), terms.bv(instr.high, width)
        less = terms.sle if instr.low < 0 else terms.ule
        if instr.high - instr.low + 1 < 1 << width:
            run.assume(terms.and_(less(low, value), less(value, high)))
        run.set_register(instr.dst.name, value)

    # --- control -----------------------------------------------------------------------------------------------------

    def _branch(self, run: LetterRun, instr: ir.Jump | ir.Branch | ir.Switch) -> None:
        terms, taken = self._terms, run.step.taken or 0
        match instr:
            case ir.Jump():
                pass
            case ir.Branch():
                truth = run.condition(instr.condition)
                run.assume(truth if taken == 0 else terms.not_(truth))
            case ir.Switch():
                value = run.value(instr.value)
                same = [terms.eq(value, terms.bv(constant, value.width)) for constant, _ in instr.cases]
                run.assume(same[taken] if taken < len(same) else terms.not_(terms.any(same)))
        moves = [(dst.name, run.value(value)) for dst, value in ir.edges(instr)[taken].moves]
        for name, value in moves:
            run.set_register(name, value)

    def _call(self, run: LetterRun, instr: ir.Call) -> None:
        terms, step = self._terms, run.step
        if not step.enters:
            return  # nothing to call: the letter ends here
        function = self._space.program.functions[step.enters]
        if not isinstance(instr.callee, str):
            callee = run.value(instr.callee)
            names = self._space.callees.of(step.site, instr)
            places = {name: terms.bv(self._space.layout.functions[name], callee.width) for name in names}
            run.trap(
                terms.not_(terms.any(terms.eq(callee, place) for place in places.values())), UndefinedKind.WILD_CALL
            )
            run.assume(terms.eq(callee, places[step.enters]))
        elif len(instr.args) != len(function.params):
            run.trap(terms.true, UndefinedKind.BAD_CALL)
        args = [run.value(arg) for arg in instr.args]
        inside: Context = (*step.context, step.site)
        for param, arg in zip(function.params, args, strict=False):
            value = self._fitted(run, arg, arg.width, param.width)
            run.set_register_of(inside, function.name, param.name, value)

    def _return(self, run: LetterRun, instr: ir.Return) -> None:
        context, function = run.step.context, self._space.program.functions[run.step.site.function]
        value = run.value(Const(0, 32) if instr.value is None else instr.value)
        if not context:
            self._operations.return_from_thread(run, value)
            return
        *outer, site = context
        call = self._space.program.functions[site.function].block(site.block).instrs[site.number]
        self._allocation.leave(run, context, function.name)
        assert isinstance(call, ir.Call)
        if call.dst is not None:
            result = self._fitted(run, value, function.result_width, call.dst.width)
            run.set_register_of(tuple(outer), site.function, call.dst.name, result)

    def _fitted(self, run: LetterRun, value: Term, given: int, width: int) -> Term:
        if given == width == value.width:
            return value
        if given < width or value.width < width:
            run.trap(self._terms.true, _SIZES)
            return self._terms.bv(0, width)
        return self._terms.extract(value, width - 1, 0)
