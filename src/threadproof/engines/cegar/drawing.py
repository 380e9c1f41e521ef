"""The abstract reachability graph as text, and for Graphviz: places, what is known there, and where letters lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from threadproof.abstraction.names import CNames
from threadproof.abstraction.product_proof import reached
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import End, Location, Places
from threadproof.engines.cegar.graph import ArgLetter, ArgNode
from threadproof.engines.cegar.states import Transformer


class ArgDrawing:
    def __init__(self, product: ThreadProduct, transformer: Transformer, root: ArgNode) -> None:
        self._product = product
        self._transformer = transformer
        self._names = CNames(product.space)
        self._nodes = reached(root, lambda node: (to for several in node.edges.values() for to in several))
        self._numbers = {node: number for number, node in enumerate(self._nodes)}

    def listing(self) -> str:
        return "\n".join(line for node in self._nodes for line in self._lines(node)) + "\n"

    def to_dot(self) -> str:
        lines = ["digraph arg {", "  node [shape=box, fontname=monospace];"]
        for node in self._nodes:
            number = self._numbers[node]
            text = "\\n".join((f"{number}: {self._where(node.places)}", *self._said(node)))
            lines.append(f'  n{number} [label="{text}"{", style=dashed" if node.dead else ""}];')
            for one, several in node.edges.items():
                lines += [f'  n{number} -> n{self._numbers[to]} [label="{_letter(one)}"];' for to in several]
        return "\n".join((*lines, "}")) + "\n"

    def _lines(self, node: ArgNode) -> Iterator[str]:
        yield f"{self._numbers[node]}: {self._where(node.places)}"
        said = ", ".join(self._said(node))
        if said:
            yield f"   {said}"
        if node.dead:
            yield f"   dead end: {', '.join(sorted(map(str, node.dead)))} may as well go first"
        for one in node.letters if not node.dead else ():
            if one in node.edges:
                to = ", ".join(str(self._numbers[target]) for target in node.edges[one]) or "impossible"
                yield f"   {_letter(one)} -> {to}"
            else:
                yield f"   {_letter(one)} -> not looked at"
        if node.asleep:
            yield f"   asleep: {', '.join(sorted(str(one) for one in node.asleep))}"

    def _said(self, node: ArgNode) -> Iterable[str]:
        terms = self._product.terms
        values = [terms.eq(variable, value) for variable, value in node.state.values.items()]
        return (self._names.condition(one) for one in (*values, *self._transformer.predicates(node.state)))

    def _where(self, places: Places) -> str:
        return ", ".join(f"{instance} {_at(location)}" for instance, location in places.threads)


def _at(location: Location) -> str:
    return location.at.value if isinstance(location.at, End) else str(location)


def _letter(one: ArgLetter) -> str:
    step = one.letter.letter.steps[0]
    return f"{one.letter.instance} line {step.instr.loc.line} (a{one.letter.letter.id})"
