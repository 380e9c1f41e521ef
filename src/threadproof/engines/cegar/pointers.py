"""Variables that may hold addresses. Their values in a state are its points-to graph.

A tracked pointer has one value in a state, so the graph is exact there: an edge from the variable to what lies at that
address. It is computed along the edges like other values, is part of covering, and dereferences fold to the cell that
is meant (what the paper calls binding). Where a pointer has no known value, formulas have all cases of the points-to
analysis of the whole program.

Paper: B. Sisák, Native pointer support in abstraction-based model checking of concurrent systems, 2023, sections 3.2 to
3.4. Differs: addresses are numbers, so null, comparison and arithmetic of pointers need no rules of their own (3.5).
"""

from __future__ import annotations

from threadproof.analysis.points_to import ObjectKind, Place
from threadproof.encoding.transitions import Space
from threadproof.encoding.transitions.space import is_variable
from threadproof.ir.expr import Reg
from threadproof.smt.term import Term


def pointer_variables(space: Space) -> frozenset[Term]:
    """Cells and registers that may point to memory, by the analysis of the whole program."""
    points_to = space.cloned_points_to
    found: set[Term] = set()
    for one in space.objects:
        if any(map(_is_memory, points_to.content(one.root))):
            cells = (cell for cell in space.objects.cells(one) if is_variable(cell) and not cell.stride)
            found.update(cell.term for cell in cells if 8 * cell.size == space.bits)
    return frozenset(found | _registers(space))


def _registers(space: Space) -> set[Term]:
    found: set[Term] = set()
    for instance in space.instances:
        thread = space.automaton.templates[instance.template]
        calls = {(step.context, step.site.function) for letter in thread.letters for step in letter.steps}
        for context, function in calls:
            for name, width in space.widths(function).items():
                if width == space.bits and any(map(_is_memory, space.points_to.expression(function, Reg(name, width)))):
                    found.add(space.register(instance, context, function, name))
    return found


def _is_memory(place: Place) -> bool:
    return place.root.kind is not ObjectKind.FUNCTION
