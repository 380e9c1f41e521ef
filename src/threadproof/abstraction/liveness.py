"""Variables that still matter where threads stand: predicates need not speak of the others.

A register of a thread that stands at a location matters if the thread may read it before it writes it; those of a
thread that has ended do not. What threads share always matters here.
"""

from __future__ import annotations

from threadproof.automaton import Instance, Location, Places
from threadproof.encoding.transitions import Space
from threadproof.encoding.transitions.live import live_registers
from threadproof.smt.term import Term


class Liveness:
    """Stable: `dead`, `live_registers`."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._registers = {instance: _registers(space, instance) for instance in space.instances}
        self._live: dict[tuple[Instance, Location], frozenset[Term]] = {}

    def dead(self, places: Places) -> frozenset[Term]:
        """Registers whose values do not matter any more; those of threads that have not been started matter: their
        creator writes them."""
        at = dict(places.threads)
        found = (self._registers[one] - self.live_registers(one, at[one]) for one in self._registers if one in at)
        return frozenset[Term]().union(*found)

    def live_registers(self, instance: Instance, location: Location) -> frozenset[Term]:
        key = (instance, location)
        if key not in self._live:
            self._live[key] = live_registers(self._space, instance, location)
        return self._live[key]


def _registers(space: Space, instance: Instance) -> frozenset[Term]:
    thread = space.automaton.templates[instance.template]
    calls = {(step.context, step.site.function) for letter in thread.letters for step in letter.steps}
    return frozenset(
        space.register(instance, context, function, name)
        for context, function in calls
        for name in space.widths(function)
    )
