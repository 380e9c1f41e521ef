"""Variables that have one value wherever a thread stands at a location, because only that thread writes them.

Main mostly sets things up before it creates threads: pointers to blocks, handles, flags. What it wrote last is known as
long as it stands where it does, whatever the others do.

Paper: G. Kildall, A unified approach to global program optimization, POPL 1973 (constant propagation).
Invariants: only variables that no other thread's letter writes; so one thread's control flow says all about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from threadproof.automaton import End, Instance, Location
from threadproof.core.graph import reached
from threadproof.encoding.transitions import Encoder, Transition
from threadproof.encoding.transitions.all_letters import AllLetters, LetterKey
from threadproof.smt.term import Op, Term

KnownValues = Mapping[Term, Term]
_CONSTANT = (Op.VALUE, Op.TRUE, Op.FALSE)


class ThreadConstants:
    def __init__(self, encoder: Encoder) -> None:
        self._terms = encoder.space.terms
        self._templates = encoder.space.automaton.templates
        self._main = Instance(encoder.space.automaton.main, 0)
        self._letters = AllLetters(encoder)
        self._initial = encoder.space.initial()
        self._own = self._written_alone()
        self._at = {one: self._propagated(one) for one in self._letters.instances}
        self._beside: dict[str, KnownValues] = {}

    def at(self, instance: Instance, location: Location | None) -> KnownValues:
        """What is known wherever the thread stands there; None: it has not been started."""
        entry = self._templates[instance.template].entry
        return self._at[instance].get(entry if location is None else location, {})

    @property
    def variables(self) -> frozenset[Term]:
        """All that are known anywhere."""
        return frozenset(v for places in self._at.values() for known in places.values() for v in known)

    def beside(self, instance: Instance) -> KnownValues:
        """What is known of variables of main's as long as a thread runs that it starts."""
        if instance == self._main:
            return {}
        found = self._beside.get(instance.template)
        if found is None:
            found = self._beside[instance.template] = self._common(self._while_running(instance.template))
        return found

    def _while_running(self, template: str) -> set[Location]:
        """Where main may stand then; where it ends the program, nobody runs."""
        thread = self._templates[self._main.template]
        after = [letter.target for letter in thread.letters if template in letter.forks]
        if not after:  # someone else starts it
            after = [letter.target for letter in thread.letters if letter.forks] or [thread.entry]
        found = reached(after, lambda one: (letter.target for letter in thread.letters_from(one)))
        return {one for one in found if not isinstance(one.at, End) or one.at is End.FINISHED}

    def _common(self, locations: Iterable[Location]) -> KnownValues:
        known = [self._at[self._main][one] for one in locations if one in self._at[self._main]]
        if not known:
            return {}
        return {v: value for v, value in known[0].items() if all(other.get(v) is value for other in known[1:])}

    # --- propagation -------------------------------------------------------------------------------------------------

    def _written_alone(self) -> dict[Instance, frozenset[Term]]:
        writers: dict[Term, set[Instance]] = {}
        for (instance, _), written in self._letters.writes.items():
            for variable in written:
                writers.setdefault(variable, set()).add(instance)
        return {
            one: frozenset(variable for variable, who in writers.items() if who == {one})
            for one in self._letters.instances
        }

    def _propagated(self, instance: Instance) -> dict[Location, KnownValues]:
        thread, own = self._templates[instance.template], self._own[instance]
        first = {v: value for v, value in self._initial.items() if v in own and value.op in _CONSTANT}
        found: dict[Location, KnownValues] = {thread.entry: first}
        todo = [thread.entry]
        while todo:
            location = todo.pop()
            for letter in thread.letters_from(location):
                after = self._after((instance, letter.id), found[location], own)
                if after is None:
                    continue
                before = found.get(letter.target)
                joined = after if before is None else {v: x for v, x in before.items() if after.get(v) is x}
                if before is None or len(joined) < len(before):
                    found[letter.target] = joined
                    todo.append(letter.target)
        return found

    def _after(self, key: LetterKey, known: KnownValues, own: frozenset[Term]) -> KnownValues | None:
        """None: the letter cannot be made there."""
        ways = [self._made(one, known, own) for one in self._letters.transitions[key]]
        possible = [one for one in ways if one is not None]
        if not possible:
            return None
        return {v: x for v, x in possible[0].items() if all(other.get(v) is x for other in possible[1:])}

    def _made(self, transition: Transition, known: KnownValues, own: frozenset[Term]) -> KnownValues | None:
        written = [v for v in transition.updates if v in own]
        guard, *values = self._terms.substitute(
            [transition.guard, *(transition.updates[v] for v in written)], dict(known)
        )
        if guard.op is Op.FALSE:
            return None
        after = {v: value for v, value in known.items() if v not in transition.updates}
        after.update({v: value for v, value in zip(written, values, strict=True) if value.op in _CONSTANT})
        return after
