"""Floyd-Hoare automata of paths."""

from __future__ import annotations

from pathlib import Path

from threadproof.abstraction.predicates import Predicates
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.abstraction.triples import Triples
from threadproof.automaton import program_automaton
from threadproof.core.property import Property
from threadproof.engines.trace.floyd_hoare import FloydHoareAutomata
from threadproof.frontend import FrontendOptions, load
from threadproof.passes.pipeline import normalise
from threadproof.smt.context import Context


def test_assertions_of_different_places_may_contradict_each_other(tmp_path: Path) -> None:
    """They were taken for one conjunction, of which nothing but `false` is left: then no word was excluded."""
    file = tmp_path / "main.c"
    file.write_text("int x; int main(void) { x = 1; return 0; }", encoding="utf-8")
    program = normalise(load([str(file)], FrontendOptions()))
    product = ThreadProduct(program, program_automaton(program), Property.UNREACH_CALL, {"main": 1})
    terms = product.terms
    x = terms.bv_var("x+0", 32)
    automata = FloydHoareAutomata(product, Triples(Predicates(Context(terms)), product.space.facts()))
    zero = terms.eq(x, terms.bv(0, 32))
    automata.add([zero, terms.not_(zero)])
    assert automata.label(automata.initial()) == [zero]
