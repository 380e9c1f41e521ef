"""setjmp and longjmp as ordinary control flow, so that no engine has to know of them.

longjmp notes where to (`frontend/runtime/jumps.c`) and returns; behind every call that may have jumped, the caller
looks whether that is so and returns too, or, if it called the setjmp, goes on behind it. Locals die as on any return.
Functions that call setjmp are on a list of their thread's as long as they run: nobody else can be jumped to.
"""

from __future__ import annotations

from dataclasses import replace

from threadproof.analysis.control.call_graph import address_taken
from threadproof.core.source import SourceLoc
from threadproof.ir.expr import Compare, CompareOp, Const, Reg, TlsRef
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Branch,
    Call,
    Edge,
    Instr,
    Jump,
    Load,
    Return,
    StackRestore,
    StackSave,
    Storage,
    Switch,
    Unsupported,
    defs,
    edges,
)
from threadproof.ir.liveness import live_before
from threadproof.ir.program import Block, Function, Program
from threadproof.sync.facts import Act, does

_SETS = ("__threadproof_set_jump", "__threadproof_set_jump_and_mask")
_JUMP = "__threadproof_jump"
_TARGET = "__threadproof_jump_target"
_FORGET = "__threadproof_jump_forget"
_NOT_LEFT = ("pthread_once", "exit", "quick_exit")  # functions of the library that would be left half-done
_HERE, _AWAY = "<jump>", "<leave>"  # labels


def return_to_setjmp(program: Program) -> Program:
    if _JUMP not in program.functions:
        return program
    refused = _refused(program)
    if refused:
        jump = program.functions[_JUMP]
        bare = replace(jump, blocks=(Block("0", (Unsupported(refused, loc=jump.loc),)),))
        return replace(program, functions={**program.functions, _JUMP: bare})
    if not any(_is_set(instr) for instr in program.instrs()):
        return program
    jumping = _Jumping(program)
    functions = {
        name: _Rewriter(program, function, jumping).rewritten() for name, function in program.functions.items()
    }
    return replace(program, functions=functions)


def _refused(program: Program) -> str:
    if any(does(instr, Act.CANCEL) for instr in program.instrs()):
        return "longjmp in a program that cancels threads"
    if "__threadproof_cleanup_push" in program.functions:
        return "longjmp in a program with cleanup handlers"
    return ""


def _is_set(instr: Instr) -> bool:
    return isinstance(instr, Call) and instr.callee in _SETS


class _Jumping:
    """Functions that longjmp may make return, and the calls of them."""

    def __init__(self, program: Program) -> None:
        taken = address_taken(program)
        self._names = {_JUMP}
        self._behind_pointers: list[Function] = []
        before = 0
        while before != len(self._names):
            before = len(self._names)
            self._behind_pointers = [f for name, f in program.functions.items() if name in self._names & taken]
            self._names |= {name for name, f in program.functions.items() if any(map(self.may_jump, f.instrs()))}

    def may_jump(self, instr: Instr) -> bool:
        if not isinstance(instr, Call):
            return False
        if isinstance(instr.callee, str):
            return instr.callee in self._names
        return any(function.takes(len(instr.args)) for function in self._behind_pointers)


class _Rewriter:
    """One function."""

    def __init__(self, program: Program, function: Function, jumping: _Jumping) -> None:
        self._program = program
        self._bits = program.data_model.pointer_bits
        self._function = function
        self._jumping = jumping
        self._frame = Reg("<frame>", self._bits)
        self._blocks: list[Block] = []
        self._landings: list[Block] = []
        self._sets = any(_is_set(instr) for instr in function.instrs())
        self._grows = any(isinstance(instr, StackSave) for instr in function.instrs())
        self._jumps = False  # whether something here may

    def rewritten(self) -> Function:
        if self._function.name == _JUMP:
            return self._function
        for block in self._function.blocks:
            self._split(block)
        if self._jumps or self._sets:
            self._blocks += [*self._arrival(), self._departure()]
        changed = replace(self._function, blocks=tuple(self._blocks))
        return self._begun(changed) if self._sets else changed

    def _split(self, block: Block) -> None:
        label, part = block.label, list[Instr]()
        for instr in block.instrs:
            if does(instr, Act.EXIT):
                part.append(Call(None, _FORGET, (), loc=instr.loc))
            if isinstance(instr, Return) and self._sets:
                part.append(self._helper("leave", instr.loc, self._frame))
            if not _is_set(instr) and not self._jumping.may_jump(instr):
                part.append(instr)
                continue
            after = f"{_HERE}.{len(self._blocks) + 1}"
            assert isinstance(instr, Call)
            part += self._setting(instr, after) if _is_set(instr) else self._looking(instr, after)
            self._blocks.append(Block(label, tuple(part)))
            label, part = after, []
        self._blocks.append(Block(label, tuple(part)))

    def _setting(self, call: Call, after: str) -> list[Instr]:
        """The call of setjmp, which gets a number, and where it returns for the second time."""
        number, loc = len(self._landings) + 1, call.loc
        value = Reg("<value>", 32)
        landing: list[Instr] = [Call(value, "__threadproof_jump_value", (), loc=loc)]
        landing.append(Jump(Edge(after, () if call.dst is None else ((call.dst, value),)), loc=loc))
        set_: list[Instr] = [replace(call, args=(*call.args[:-1], Const(number, 32))), Jump(Edge(after), loc=loc)]
        if self._grows:
            stack = self._stack(number)
            landing.insert(0, StackRestore(stack, loc=loc))
            set_.insert(0, StackSave(stack, loc=loc))
        self._landings.append(Block(f"{_HERE}.back.{number}", tuple(landing)))
        return set_

    def _looking(self, call: Call, after: str) -> list[Instr]:
        self._jumps = True
        target = Reg("<target>", self._bits)
        jumped = Compare(CompareOp.NE, target, Const(0, self._bits))
        look = Load(target, TlsRef(_TARGET, self._bits), self._bits // 8, loc=call.loc)
        away = Edge(_HERE if self._sets else _AWAY)
        return [call, look, Branch(jumped, away, Edge(after), loc=call.loc)]

    def _arrival(self) -> list[Block]:
        if not self._sets:
            return []
        place, loc = Reg("<place>", 32), self._function.loc
        cases = tuple((number, Edge(block.label)) for number, block in enumerate(self._landings, 1))
        arrives = Call(place, "__threadproof_jump_arrives", (), loc=loc)
        return [Block(_HERE, (arrives, Switch(place, cases, Edge(_AWAY), loc=loc))), *self._landings]

    def _departure(self) -> Block:
        name, loc = self._function.name, self._function.loc
        if name.split(".")[0] in _NOT_LEFT:
            return Block(_AWAY, (Unsupported(f"longjmp out of a function that {name} calls", loc=loc),))
        width = self._function.result_width
        leave = (self._helper("leave", loc, self._frame),) if self._sets else ()
        return Block(_AWAY, (*leave, Return(Const(0, width) if width else None, loc=loc)))

    def _begun(self, function: Function) -> Function:
        """The function on the list, and registers that landings read given a value on every path."""
        loc = function.loc
        size = Const(2 * self._bits // 8, self._bits)
        begin: list[Instr] = [Alloc(self._frame, size, Storage.STACK, name="<frame>", loc=loc)]
        if self._grows:
            begin += [StackSave(self._stack(number), loc=loc) for number in range(1, len(self._landings) + 1)]
        begin.append(self._helper("enter", loc, self._frame))
        first = function.blocks[0]
        first = replace(first, instrs=(*begin, *first.instrs))
        known = {reg.name for reg in (*function.params, *(reg for instr in first.instrs for reg in defs(instr)))}
        needed = live_before(function)[_HERE][0] - known
        if any(isinstance(instr, Alloc) and instr.dst.name in needed for instr in function.instrs()):
            return _Rewriter(self._program, _without_sets(self._function), self._jumping).rewritten()
        zeros = tuple(Assign(reg, Const(0, reg.width), loc=loc) for reg in _written(function) if reg.name in needed)
        first = replace(first, instrs=(*zeros, *first.instrs))
        return replace(function, blocks=(first, *function.blocks[1:]))

    def _stack(self, number: int) -> Reg:
        return Reg(f"<stack>.{number}", self._bits)

    def _helper(self, name: str, loc: SourceLoc, *args: Reg) -> Call:
        return Call(None, f"__threadproof_jump_{name}", args, loc=loc)


def _written(function: Function) -> list[Reg]:
    """Each register once."""
    moves = (dst for instr in function.instrs() for edge in edges(instr) for dst, _ in edge.moves)
    return list(dict.fromkeys((*moves, *(reg for instr in function.instrs() for reg in defs(instr)))))


def _without_sets(function: Function) -> Function:
    """Where memory is allocated on the way to setjmp, which then is unsupported."""
    blocks: list[Block] = []
    for block in function.blocks:
        at = next((number for number, instr in enumerate(block.instrs) if _is_set(instr)), None)
        if at is not None:
            words = Unsupported("setjmp in a function with arrays of variable length", loc=block.instrs[at].loc)
            block = replace(block, instrs=(*block.instrs[:at], words))
        blocks.append(block)
    return replace(function, blocks=tuple(blocks))
