"""One LLVM function -> one `ir.Function`: parameters, variables, blocks."""

from __future__ import annotations

from collections.abc import Mapping

from threadproof.frontend.llvm.body import parse_body
from threadproof.frontend.llvm.module import (
    BasicBlock,
    DeclareRecord,
    LlvmFunction,
    LlvmLocal,
    PhiInst,
)
from threadproof.frontend.llvm.types import Arity
from threadproof.frontend.lower.atomic_bools import convert_to_bool
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.instruction import lower_instruction
from threadproof.frontend.lower.jumps import sets_jump
from threadproof.frontend.lower.locals import scoped_locals
from threadproof.frontend.lower.scope import Scope, Unlowerable
from threadproof.frontend.options import Locals
from threadproof.ir.expr import Const, Reg
from threadproof.ir.instr import Alloc, Storage, Undefined, UndefinedKind, Unsupported
from threadproof.ir.program import VARARGS, Atomicity, Function, Variable, reachable_blocks

_ATOMIC_PREFIX = "__VERIFIER_atomic_"
_BRACKETS = ("__VERIFIER_atomic_begin", "__VERIFIER_atomic_end")


def lower_function(function: LlvmFunction, name: str, scope: Scope) -> Function:
    return lower_blocks(function, parse_body(function), name, scope)


def lower_blocks(function: LlvmFunction, parsed: list[BasicBlock], name: str, scope: Scope) -> Function:
    parsed = convert_to_bool(parsed)
    phis = {block.label: [i for i in block.instructions if isinstance(i, PhiInst)] for block in parsed}
    builder = Builder(scope, function.name, phis)
    builder.alloc_names, variables = _name_variables(parsed, scope)
    if scope.locals is Locals.BLOCK and not sets_jump(parsed):
        builder.scoped = scoped_locals(parsed)
    params = _params(function, scope)
    for number, block in enumerate(parsed):
        builder.start(block.label)
        if number == 0:
            _copy_byval_params(builder, function)
        _lower_block(builder, block)
    atomic = name.startswith(_ATOMIC_PREFIX) and name not in _BRACKETS
    return Function(
        name,
        params,
        reachable_blocks(builder.blocks),
        scope.bits(function.result),
        atomicity=Atomicity.ATOMIC if atomic else Atomicity.ORDINARY,
        variables=variables,
        loc=scope.unit.debug.declared_at(function.debug),
    )


def _lower_block(builder: Builder, block: BasicBlock) -> None:
    location = builder.scope.unit.debug.location
    for instruction in block.instructions:
        if not builder.open:
            return
        builder.loc = location(instruction.debug)
        try:
            lower_instruction(builder, instruction)
        except Unlowerable as reason:
            builder.end(Unsupported(str(reason), loc=builder.loc))
    builder.end(Undefined(UndefinedKind.UNREACHABLE, loc=builder.loc))


def _params(function: LlvmFunction, scope: Scope) -> tuple[Reg, ...]:
    params: list[Reg] = []
    for param in function.params:
        suffix = ".given" if param.byval is not None else ""
        params.append(Reg(f"%{param.name}{suffix}", scope.bits(param.type)))
    if function.arity is Arity.VARIADIC and function.params:
        params.append(Reg(VARARGS, scope.pointer_bits))
    return tuple(params)


def _copy_byval_params(builder: Builder, function: LlvmFunction) -> None:
    """A structure passed by value: the caller passes its address, the function works on a copy."""
    for param in function.params:
        if param.byval is None:
            continue
        copy, given = (
            builder.reg(param.name, param.type),
            Reg(f"%{param.name}.given", builder.scope.pointer_bits),
        )
        size = builder.scope.size(param.byval)
        name = builder.alloc_names.get(param.name, copy.name)
        align = builder.scope.types.align(param.byval)
        builder.emit(
            Alloc(
                copy,
                Const(size, builder.scope.pointer_bits),
                Storage.STACK,
                name=name,
                align=align,
                loc=builder.loc,
            )
        )
        builder.copy(copy, given, size)


def _name_variables(parsed: list[BasicBlock], scope: Scope) -> tuple[dict[str, str], dict[str, Variable]]:
    """Register of an alloca -> unique name of its C variable; that name -> the variable."""
    declared: dict[str, int] = {}
    for block in parsed:
        for record in block.instructions:
            if isinstance(record, DeclareRecord) and isinstance(record.address, LlvmLocal):
                declared.setdefault(record.address.name, record.variable)
    names: dict[str, str] = {}
    variables: dict[str, Variable] = {}
    for register, number in declared.items():
        variable = scope.unit.debug.variable(number)
        if variable.c_name:
            names[register] = _unique(variable.c_name, variables)
            variables[names[register]] = variable
    return names, variables


def _unique(name: str, taken: Mapping[str, Variable]) -> str:
    unique, number = name, 1
    while unique in taken:
        number += 1
        unique = f"{name}.{number}"
    return unique
