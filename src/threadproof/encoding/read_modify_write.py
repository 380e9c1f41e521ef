"""Atomic read-modify-write as a term: for programs unwound to events and for letters alike."""

from __future__ import annotations

from threadproof.ir.instr import RmwOp
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

_RMW = {RmwOp.ADD: Op.ADD, RmwOp.SUB: Op.SUB, RmwOp.AND: Op.BVAND, RmwOp.OR: Op.BVOR, RmwOp.XOR: Op.BVXOR}


def combined(terms: Terms, op: RmwOp, old: Term, operand: Term) -> Term:
    """What an atomic read-modify-write leaves."""
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
