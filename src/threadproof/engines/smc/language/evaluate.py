"""Terms as Python functions over states of the reference semantics."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from threadproof.engines.smc.language import expression as e
from threadproof.engines.smc.language.syntax import Quantifier
from threadproof.ir.ctypes import Encoding
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Trap, Unsupportable
from threadproof.semantics.state import Frame, Obj, Phase, State, Thread

Value = int | float
Threads = tuple[int, ...]  # what the quantifiers' variables stand for
Evaluator = Callable[[State, Threads], Value]

_SIGN, _SIZE = 1 << 63, 1 << 64


def wrap(value: int) -> int:
    """A signed 64-bit number."""
    return value if -_SIGN <= value < _SIGN else (value + _SIGN) % _SIZE - _SIGN


def compile_term(machine: Machine, term: e.Term) -> Evaluator:
    return _Compiler(machine).compile(term)


def holds(machine: Machine, term: e.Term) -> Callable[[State], bool]:
    evaluate = compile_term(machine, term)
    return lambda state: evaluate(state, ()) != 0


class _Compiler:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def compile(self, term: e.Term) -> Evaluator:
        match term:
            case e.Num():
                value = term.value
                return lambda state, env: value
            case e.Un():
                operate, operand = _UNARY[term.op], self.compile(term.operand)
                return lambda state, env: operate(operand(state, env))
            case e.Bin():
                return self._binary(term)
            case e.If():
                condition = self.compile(term.condition)
                then, otherwise = self.compile(term.then), self.compile(term.otherwise)
                return lambda state, env: then(state, env) if condition(state, env) else otherwise(state, env)
            case e.Stands():
                return self._stands(term)
            case e.Quant():
                return self._quant(term)
            case e.RegValue():
                return self._register(term)
            case e.Mem():
                return self._memory(term)

    def _binary(self, term: e.Bin) -> Evaluator:
        left, right = self.compile(term.left), self.compile(term.right)
        if term.op == "&&":
            return lambda state, env: int(bool(left(state, env)) and bool(right(state, env)))
        if term.op == "||":
            return lambda state, env: int(bool(left(state, env)) or bool(right(state, env)))
        operate = _BINARY[term.op]
        return lambda state, env: operate(left(state, env), right(state, env))

    def _stands(self, term: e.Stands) -> Evaluator:
        sites, process = term.sites, term.process
        if process is None:

            def some(state: State, env: Threads) -> int:
                for thread in state.threads.values():
                    if thread.frames and thread.frames[-1].pc in sites.get(thread.frames[-1].function, ()):
                        return 1
                return 0

            return some
        who = _who(process)

        def stands(state: State, env: Threads) -> int:
            thread = state.threads.get(who(env))
            if thread is None or not thread.frames:
                return 0
            return int(thread.frames[-1].pc in sites.get(thread.frames[-1].function, ()))

        return stands

    def _quant(self, term: e.Quant) -> Evaluator:
        body = self.compile(term.body)
        exists = term.quantifier is Quantifier.EXISTS

        def quantified(state: State, env: Threads) -> int:
            for number, thread in state.threads.items():
                if thread.phase is not Phase.FINISHED and bool(body(state, (*env, number))) == exists:
                    return int(exists)
            return int(not exists)

        return quantified

    def _register(self, term: e.RegValue) -> Evaluator:
        who, code = _who(term.process), self._machine.static.codes[term.function]
        decode = decoder(term.bits, term.encoding)

        def register(state: State, env: Threads) -> Value:
            found = _frame(state.threads.get(who(env)), term.function)
            value = None if found is None else code.register(found[0].regs, term.register)
            return decode(value) if isinstance(value, int) else 0

        return register

    # --- memory ----------------------------------------------------------------------------------------------------

    def _memory(self, term: e.Mem) -> Evaluator:
        base, offset = self._base(term.base), self.compile(term.offset)
        image, shift = self._machine.static.image, term.shift
        size = (term.shift + term.bits + 7) // 8
        mask = (1 << term.bits) - 1
        decode = decoder(term.bits, term.encoding)

        def memory(state: State, env: Threads) -> Value:
            start = base(state, env)
            if start is None:
                return 0
            view = MemoryView(image, state)
            address = start + int(offset(state, env))
            try:
                obj = view.find(address)
                if address + size > obj.start + obj.size:
                    return 0
                data, arbitrary = view.raw(obj, address, size)
            except (Trap, Unsupportable):
                return 0
            if arbitrary is not None:
                data = bytes(0 if m else byte for byte, m in zip(data, arbitrary, strict=True))
            return decode(int.from_bytes(data, "little") >> shift & mask)

        return memory

    def _base(self, base: e.Base) -> Callable[[State, Threads], int | None]:
        match base:
            case e.StaticBase():
                address = self._machine.layout.globals[base.name]
                return lambda state, env: address
            case e.LocalBase():
                return self._local(base)
            case e.ThreadBase():
                return self._own(base)
            case e.PointerBase():
                pointer = self.compile(base.pointer)
                return lambda state, env: int(pointer(state, env)) & (_SIZE - 1)

    def _own(self, base: e.ThreadBase) -> Callable[[State, Threads], int | None]:
        who, layout = _who(base.process), self._machine.layout
        offset = layout.tls[base.name]

        def own(state: State, env: Threads) -> int | None:
            thread = state.threads.get(who(env))
            return None if thread is None else layout.arena(thread.id) + offset

        return own

    def _local(self, base: e.LocalBase) -> Callable[[State, Threads], int | None]:
        who = None if base.process is None else _who(base.process)

        def local(state: State, env: Threads) -> int | None:
            threads = state.threads
            candidates = threads.values() if who is None else [threads.get(who(env))]
            for thread in candidates:
                found = _frame(thread, base.function)
                if found is not None:
                    return next((obj.start for obj in found[1] if obj.name == base.variable), None)
            return None

        return local


def _who(process: e.Proc) -> Callable[[Threads], int]:
    if isinstance(process, e.Fixed):
        number = process.number
        return lambda env: number
    index = process.index
    return lambda env: env[index]


def _frame(thread: Thread | None, function: str) -> tuple[Frame, tuple[Obj, ...]] | None:
    """The topmost frame of the function and its stack objects."""
    if thread is None:
        return None
    above = len(thread.stack)
    for frame in reversed(thread.frames):
        if frame.function == function:
            return frame, thread.stack[frame.stack_mark : above]
        above = frame.stack_mark
    return None


def decoder(bits: int, encoding: Encoding) -> Callable[[int], Value]:
    """From a bit pattern to the number it stands for."""
    mask, sign, size = (1 << bits) - 1, 1 << (bits - 1), 1 << bits
    if encoding is Encoding.FLOAT:
        form = "<f" if bits == 32 else "<d"
        return lambda value: struct.unpack(form, (value & mask).to_bytes(bits // 8, "little"))[0]
    if encoding in (Encoding.UNSIGNED, Encoding.BOOL):
        return lambda value: wrap(value & mask)
    return lambda value: wrap((value & mask) - size if value & sign else value & mask)


# --- operators -----------------------------------------------------------------------------------------------------


def _arithmetic(value: Any) -> Value:
    return wrap(value) if isinstance(value, int) else value


def divide(a: Value, b: Value) -> Value:
    if b == 0:
        return 0
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    quotient = abs(a) // abs(b)
    return wrap(quotient if (a < 0) == (b < 0) else -quotient)


def _remainder(a: Any, b: Any) -> int:
    return 0 if b == 0 else wrap(a - b * int(divide(a, b)))


_UNARY: dict[str, Callable[[Any], Value]] = {
    "-": lambda a: _arithmetic(-a),
    "+": lambda a: a,
    "!": lambda a: int(not a),
    "~": lambda a: ~a,
}
_BINARY: dict[str, Callable[[Any, Any], Value]] = {
    "+": lambda a, b: _arithmetic(a + b),
    "-": lambda a, b: _arithmetic(a - b),
    "*": lambda a, b: _arithmetic(a * b),
    "/": divide,
    "%": _remainder,
    "<<": lambda a, b: wrap(a << (b & 63)),
    ">>": lambda a, b: a >> (b & 63),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}
