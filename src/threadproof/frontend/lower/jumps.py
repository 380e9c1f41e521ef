"""setjmp and longjmp become calls of the runtime library (`runtime/jumps.c`); a pass gives them their control flow."""

from __future__ import annotations

from collections import Counter

from threadproof.frontend.llvm.module import BasicBlock, CallInst, LlvmNumber, Symbol
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.ir.expr import Const, Reg

_SETS = ("setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp")
_JUMPS = ("longjmp", "_longjmp", "siglongjmp", "__longjmp_chk")
_SAVES_MASK = ("__sigsetjmp", "sigsetjmp")
_MASKS = ("sigaction", "signal", "sigprocmask", "pthread_sigmask")  # without these there is nothing to save
_HELPERS = ("enter", "leave", "forget", "arrives", "value")  # of the pass


def sets_jump(blocks: list[BasicBlock]) -> bool:
    """Also other than for cleanup handlers, each of which is registered after its `__sigsetjmp`."""
    called = Counter(
        instruction.callee.name
        for block in blocks
        for instruction in block.instructions
        if isinstance(instruction, CallInst) and isinstance(instruction.callee, Symbol)
    )
    return sum(called[name] for name in _SETS) > called["__pthread_register_cancel"]


def lower_jump(b: Builder, inst: CallInst, name: str, dst: Reg | None) -> None:
    args = [b.value(argument.value) for argument in inst.args]
    if len(args) != (1 if name in _SETS and name not in _SAVES_MASK else 2):
        raise Unlowerable(f"a call of {name} with {len(args)} arguments")
    mask = "_and_mask" if b.scope.demand.mentions(_SAVES_MASK) and b.scope.demand.mentions(_MASKS) else ""
    if name in _JUMPS:
        b.call_library(f"__threadproof_jump{mask}", tuple(args))
        return
    if b.function in _SETS:
        raise Unlowerable(f"a call of {name} through a pointer")
    for helper in _HELPERS:
        found = b.scope.in_library(f"__threadproof_jump_{helper}")
        assert found is not None, helper
        b.scope.demand.ask(found)
    place = Const(0, 32)  # numbered by the pass
    saves = name in _SAVES_MASK and not (isinstance(inst.args[1].value, LlvmNumber) and inst.args[1].value.value == 0)
    if mask and saves:
        b.call_library("__threadproof_set_jump_and_mask", (args[0], args[1], place), dst)
    else:
        b.call_library("__threadproof_set_jump", (args[0], place), dst)
