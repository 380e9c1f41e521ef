"""How far threads are from a violation of the property: letters that have to be made, whatever they ask for.

Paper: Á. Vörös, Informed search strategies in abstraction-based model checking, 2022 (distance to the error location).
Differs: it is the least of all threads, since each stands at a location of its own.
"""

from __future__ import annotations

from collections import deque

from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import Instance, Location, Places
from threadproof.encoding.transitions.all_letters import AllLetters

FAR = 1 << 30
_Standing = tuple[Instance, Location]


class ErrorDistance:
    def __init__(self, product: ThreadProduct, letters: AllLetters, goal: ThreadGoal) -> None:
        templates = letters.encoder.space.automaton.templates
        before: dict[_Standing, list[_Standing]] = {}
        near: list[_Standing] = []
        for (instance, number), letter in letters.letters.items():
            here = (instance, letter.source)
            if (instance, number) in goal.futile:
                continue
            traps = (trap for one in letters.transitions[instance, number] for trap in one.traps)
            if any(map(product.violates, traps)):
                near.append(here)
            started = [one for one in letters.instances if one.template in letter.forks]
            following = [(instance, letter.target), *((one, templates[one.template].entry) for one in started)]
            for one in following:
                before.setdefault(one, []).append(here)
        self._found: dict[_Standing, int] = dict.fromkeys(near, 0)
        todo = deque(self._found)
        while todo:
            one = todo.popleft()
            for earlier in before.get(one, ()):
                if earlier not in self._found:
                    self._found[earlier] = self._found[one] + 1
                    todo.append(earlier)

    def of(self, places: Places) -> int:
        return min((self._found.get(one, FAR) for one in places.threads), default=FAR)
