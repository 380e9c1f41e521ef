"""Sets of values include every value, whatever the variables are among what was declared."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from threadproof.engines.bmc.unwinding.guards import merged
from threadproof.engines.bmc.unwinding.values import LIMIT, ValueSets, united
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

WIDTH = 4
DOMAINS = {"a": frozenset((0, 3)), "b": frozenset((1, 2, 15)), "c": None}
_BINARY = (Op.ADD, Op.SUB, Op.MUL, Op.BVAND, Op.BVOR, Op.BVXOR, Op.UDIV, Op.SREM, Op.SHL, Op.LSHR)


def random_term(terms: Terms, rng: Random, depth: int) -> Term:
    if not depth or rng.random() < 0.2:
        if rng.random() < 0.3:
            return terms.bv(rng.randrange(16), WIDTH)
        return terms.bv_var(rng.choice(sorted(DOMAINS)), WIDTH)
    one, two = (random_term(terms, rng, depth - 1) for _ in range(2))
    match rng.randrange(4):
        case 0:
            return terms.ite(terms.ult(one, two), one, random_term(terms, rng, depth - 1))
        case 1:
            return terms.ite(terms.and_(terms.eq(one, two), terms.slt(one, two)), one, two)
        case _:
            return terms.make(rng.choice(_BINARY), (one, two))


@pytest.mark.parametrize("seed", range(300))
def test_every_value_is_in_the_set(seed: int) -> None:
    terms, rng = Terms(), Random(seed)
    values = ValueSets(terms)
    for name, domain in DOMAINS.items():
        values.declare(terms.bv_var(name, WIDTH), domain)
    term = random_term(terms, rng, 4)
    found, folded = values.of(term), values.folded(term)
    for numbers in product(*(sorted(domain or range(16)) for domain in DOMAINS.values())):
        here = Assignment(dict(zip(DOMAINS, numbers, strict=True)))
        assert found is None or here.number(term) in found
        assert here.number(folded) == here.number(term)


def test_large_sets_are_anything() -> None:
    assert united(frozenset(range(LIMIT)), frozenset((LIMIT,))) is None
    assert united(frozenset((1,)), None) is None


@pytest.mark.parametrize("seed", range(200))
def test_paths_that_meet(seed: int) -> None:
    """The merged guard holds exactly if one of the two does, and the selector tells which."""
    terms, rng = Terms(), Random(seed)
    variables = [terms.bool_var(name) for name in "pqrst"]
    literals = [*variables, *(terms.not_(v) for v in variables)]
    prefix = tuple(rng.sample(variables[:2], rng.randrange(3)))
    branch = rng.choice(variables[2:])
    one = (*prefix, branch, *rng.sample(literals, rng.randrange(3)))
    two = (*prefix, terms.not_(branch), *rng.sample(literals, rng.randrange(3)))
    guard, first = merged(terms, one, two)
    for bits in product((0, 1), repeat=5):
        here = Assignment(dict(zip("pqrst", bits, strict=True)))
        holds = [all(here.holds(literal) for literal in path) for path in (one, two)]
        assert all(here.holds(literal) for literal in guard) == any(holds)
        assert not holds[0] or here.holds(first)
        assert not holds[1] or not here.holds(first)
