"""Library functions look at the objects they are given: what is not there, or too small, is noticed."""

from __future__ import annotations

from threadproof.frontend.library import RUNTIME_FILE
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Expr, const
from threadproof.ir.instr import Branch, Edge, Jump, Sync
from threadproof.sync.facts import FACTS
from threadproof.sync.objects import LOOKED_AT, SIZES
from threadproof.sync.operations import LOOK
from threadproof.sync.rows import Does, Look, Row

_WORD = 4


def looked_at(b: Builder, row: Row) -> tuple[Look, ...]:
    """The object that an operation works on. Our own library has smaller ones: a futex is a word that is waited on."""
    if not isinstance(row.effect, Does) or b.loc.file == RUNTIME_FILE:
        return ()
    first = row.effect.uses[0]
    found = LOOKED_AT.get(FACTS[first.op].family)
    if found is None or not first.args:
        return ()
    c11 = "cnd_t" if row.name.startswith("cnd_") else found
    return (Look(first.args[0], c11),)


def lower_look(b: Builder, address: Expr, look: Look) -> None:
    null = Const(0, b.scope.pointer_bits)
    if address.width != b.scope.pointer_bits:
        raise Unlowerable(f"a {look.type_name} that is no pointer")
    if look.optional and address == null:
        return
    if not look.optional:
        _look(b, address, look)
        return
    given, done = b.label("given"), b.label("looked")
    b.emit(Branch(Compare(CompareOp.NE, address, null), Edge(given), Edge(done), loc=b.loc))
    b.go_on(given)
    _look(b, address, look)
    b.emit(Jump(Edge(done), loc=b.loc))
    b.go_on(done)


def _look(b: Builder, address: Expr, look: Look) -> None:
    own = b.scope.unit.debug.size_of(look.type_name)  # programs may declare types of their own
    size = SIZES[look.type_name][b.scope.pointer_bits == 64] if own is None else own
    last = Binary(BinaryOp.ADD, address, const(max(size, _WORD) - _WORD, address.width))
    b.emit(Sync(None, LOOK, (address, last if size > _WORD else address), loc=b.loc))
