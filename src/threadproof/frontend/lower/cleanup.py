"""pthread_cleanup_push and pthread_cleanup_pop, as the macros of glibc's headers expand them.

The macro keeps the handler and its argument in two locals, saves a jump buffer by `__sigsetjmp` and registers it; if
the thread ends, glibc jumps back, and the code there calls the handler. Here registering passes the handler and its
argument to the runtime library, which runs what is registered when the thread ends; the jump is never made.
"""

from __future__ import annotations

import re

from threadproof.frontend.llvm.module import CallInst, LlvmLocal
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.ir.expr import Const, Expr, Reg
from threadproof.ir.instr import Assign, Call, Load

_UNWINDS = "__pthread_unwind_next"
_UNWIND = re.compile(
    r"%(\S+) = load ptr, ptr %(\S+?),.*\n"  # the handler
    r"\s*%(\S+) = load ptr, ptr %(\S+?),.*\n"  # its argument
    r"\s*call void %\1\(ptr noundef %\3\).*\n"
    r"\s*call void @__pthread_unwind_next\(ptr noundef %(\S+?)\)"
)
_PART = re.compile(r"^\s*%(\S+) = getelementptr .*, ptr %(\S+?), i(?:32|64) 0, i(?:32|64) 0\b", re.MULTILINE)


def lower_cleanup(b: Builder, inst: CallInst, name: str) -> bool:
    """Whether the call belongs to a cleanup handler."""
    if name not in ("__sigsetjmp", "__pthread_register_cancel", "__pthread_unregister_cancel", _UNWINDS):
        return False
    first = inst.args[0].value
    handlers = _handlers(b)
    if not isinstance(first, LlvmLocal) or _whole(b, first.name) not in handlers:
        return False
    if name == _UNWINDS:  # no missing function: nothing leads here
        raise Unlowerable("the jump back to a cleanup handler, which is never made")
    buffer = b.value(first)
    if name == "__sigsetjmp":
        if inst.result:
            b.emit(Assign(b.reg(inst.result, inst.type.result), Const(0, 32), loc=b.loc))
    elif name == "__pthread_unregister_cancel":
        _call(b, "__threadproof_cleanup_pop", (buffer,))
    else:
        handler, argument = (_loaded(b, local) for local in handlers[first.name])
        _call(b, "__threadproof_cleanup_push", (buffer, handler, argument))
    return True


def _handlers(b: Builder) -> dict[str, tuple[str, str]]:
    """Jump buffer -> the locals that hold the handler and its argument."""
    return {found[4]: (found[1], found[3]) for found in _UNWIND.findall(_text(b))}


def _whole(b: Builder, name: str) -> str:
    """The local that this is the beginning of."""
    parts = dict(_PART.findall(_text(b)))
    while name in parts:
        name = parts[name]
    return name


def _text(b: Builder) -> str:
    return "\n".join(b.scope.unit.module.functions[b.function].lines or ())


def _loaded(b: Builder, local: str) -> Expr:
    bits = b.scope.pointer_bits
    value = b.temp(bits)
    b.emit(Load(value, Reg(f"%{local}", bits), bits // 8, loc=b.loc))
    return value


def _call(b: Builder, function: str, args: tuple[Expr, ...]) -> None:
    found = b.scope.in_library(function)
    assert found is not None
    b.scope.demand.ask(found)
    b.emit(Call(None, found.name, args, loc=b.loc))
