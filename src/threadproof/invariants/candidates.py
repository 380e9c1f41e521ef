"""Candidates for invariants: what the labels of a proof say at statements, in C over what is in scope there.

At each statement at which threads stand, what all labels there say; or what all of those say in which a lock is free,
or no thread of a kind was created yet, with a ghost variable for that; or, of few labels, that one of them holds; or,
of values, what they may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from threadproof.abstraction.names import CNames
from threadproof.automaton import End, Instance, Location
from threadproof.encoding.transitions import Space
from threadproof.invariants.labels import PlaceLabel, ProofLabels
from threadproof.invariants.positions import StatementPosition, positions
from threadproof.smt.c_text import CName, Unprintable
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms
from threadproof.witness.model import CorrectnessWitness, StateInvariant
from threadproof.witness.source_text import SourceTexts

LONGEST = 100  # characters of a condition
MOST_CASES = 4  # of which one holds
MOST_VALUES = 4
MOST_HERE = 2  # invariants of a statement
MOST_STATEMENTS = 4
MOST_FOLDED = 20_000  # conditions of all labels at a statement, in all of them
_NAME = re.compile(r"[A-Za-z_]\w*(\.\w+|\[\d+\])*")
_LOCK = re.compile(r"(\w+)\.__data\.__lock")
_VALUE = re.compile(r"([A-Za-z_][\w.\[\]]*) == (-?\d+)")


@dataclass(frozen=True, slots=True)
class _Told:
    """What one label says at a statement: conditions in C, and the ghosts that are 1 there."""

    conditions: tuple[str, ...]
    ghosts: frozenset[str]


@dataclass(slots=True)
class _Telling:
    """Labels in C."""

    space: Space
    names: CNames = field(init=False)
    locks: dict[Term, str] = field(default_factory=dict[Term, str])
    _shared: dict[Term, CName] = field(default_factory=dict[Term, CName])
    _scopes: dict[tuple[Instance, Location], dict[Term, CName]] = field(
        default_factory=dict[tuple[Instance, Location], dict[Term, CName]]
    )

    def __post_init__(self) -> None:
        self.names = CNames(self.space)
        for found in self.space.objects:
            if found.owner is None and found.site is None:
                for cell in self.space.objects.cells(found):
                    self._add_shared(cell.term)

    def _add_shared(self, term: Term) -> None:
        if term.op is not Op.VAR or self.names.has_our_values(term):
            return
        name = self.names.of(term)
        lock = _LOCK.fullmatch(name.text)
        if lock is not None:
            self.locks[term] = lock[1]
        elif _NAME.fullmatch(name.text) and ".__" not in name.text:
            self._shared[term] = name

    def ghosts(self, labels: ProofLabels) -> list[str]:
        """Of locks first."""
        started = {template for place in labels.places for template in place.started}
        return [*map(ghost_of, sorted(self.locks.values())), *map(phase_of, sorted(started))]

    def told(self, place: PlaceLabel) -> _Told:
        terms, scope = self.space.terms, self._scope(place.instance, place.location)
        free = {terms.eq(word, terms.bv(0, word.width)): _ghost(terms, lock) for word, lock in self.locks.items()}
        at_zero = {word: terms.bv(0, word.width) for word in self.locks}
        held = frozenset(
            ghost_of(lock)
            for word, lock in self.locks.items()
            if any(one.op is Op.FALSE for one in terms.substitute(place.says, {word: at_zero[word]}))
        )
        conditions: dict[str, None] = {}
        for one in terms.substitute(place.says, {eq: terms.not_(ghost) for eq, ghost in free.items()}):
            text = self._text(one, scope)
            if text:
                conditions[text] = None
        return _Told(tuple(conditions), held | {phase_of(template) for template in place.started})

    def _text(self, condition: Term, scope: Mapping[Term, CName]) -> str:
        try:
            text = self.names.in_scope(condition, scope.__getitem__)
        except (Unprintable, KeyError):
            return ""
        return text if len(text) <= LONGEST and text not in ("0", "1") else ""

    def _scope(self, instance: Instance, location: Location) -> dict[Term, CName]:
        if (instance, location) not in self._scopes:
            ghosts = {_ghost(self.space.terms, lock): CName(ghost_of(lock), True) for lock in self.locks.values()}
            own = {term: name for term, name in self._own(instance, location) if not self.names.has_our_values(term)}
            self._scopes[instance, location] = {**self._shared, **ghosts, **own}
        return self._scopes[instance, location]

    def _own(self, instance: Instance, location: Location) -> Iterator[tuple[Term, CName]]:
        """Locals of the function that the thread is in."""
        space = self.space
        if isinstance(location.at, End):
            return
        function = location.at.function
        variables = space.program.functions[function].variables
        for register in space.widths(function):
            if register in variables:
                term = space.register(instance, location.context, function, register)
                known = self.names.of(term)
                yield term, CName(variables[register].c_name, known.signed)
        for found in space.objects:
            here = found.owner == instance and found.context == location.context
            if here and found.site is not None and found.site.function == function:
                for cell in space.objects.cells(found):
                    if cell.term.op is Op.VAR:
                        name = self.names.of(cell.term)
                        text = name.text.removeprefix(f"{instance}.")
                        if _NAME.fullmatch(text):
                            yield cell.term, CName(text, name.signed)


def _ghost(terms: Terms, lock: str) -> Term:
    return terms.bool_var(f"ghost {lock}")


def ghost_of(lock: str) -> str:
    """1 while somebody holds it."""
    return f"{lock}_locked"


def phase_of(function: str) -> str:
    """1 from when a thread was created that starts there."""
    return f"{function}_started"


# --- candidates ------------------------------------------------------------------------------------------------------


def candidates(labels: Iterable[ProofLabels], texts: SourceTexts) -> CorrectnessWitness:
    """The best statements first. Ghosts are added by who knows where locks are taken (`ghosts.py`)."""
    found: dict[StatementPosition, dict[str, None]] = {}
    for one in labels:
        telling = _Telling(one.space)
        here: dict[StatementPosition, list[PlaceLabel]] = {}
        at = positions(one, texts)
        for place in one.places:
            position = at.get(place.location)
            if position is not None:
                here.setdefault(position, []).append(place)
        for position, places in here.items():
            told = [telling.told(place) for place in _all_said(one.space.terms, places)]
            found.setdefault(position, {}).update(dict.fromkeys(_conditions(told, telling.ghosts(one))))
    ranked = sorted(found, key=lambda position: (position.rank, position.position.line))
    kept = [position for position in ranked if found[position]][:MOST_STATEMENTS]
    invariants = [
        StateInvariant(position.position, text, position.loop)
        for position in kept
        for text in _plain(list(found[position]))[:MOST_HERE]
    ]
    return CorrectnessWitness(invariants=tuple(invariants))


def _all_said(terms: Terms, places: Sequence[PlaceLabel]) -> list[PlaceLabel]:
    """With what others say there that is true of the values of this label: where `x` and `y` are 0, `x == y` is not
    said."""
    every = list(dict.fromkeys(one for place in places for one in place.says))
    if len(every) * len(places) > MOST_FOLDED:
        return list(places)
    return [replace(place, says=(*place.says, *_follows(terms, place.says, every))) for place in places]


def _follows(terms: Terms, says: Sequence[Term], every: Sequence[Term]) -> Iterator[Term]:
    values = {one.args[0]: one.args[1] for one in says if one.op is Op.EQ and one.args[1].op is Op.VALUE}
    values |= {one.args[1]: one.args[0] for one in says if one.op is Op.EQ and one.args[0].op is Op.VALUE}
    values = {one: value for one, value in values.items() if one.op is Op.VAR}
    others = [one for one in every if one not in says]
    folded = terms.substitute(others, values)
    return (one for one, there in zip(others, folded, strict=True) if there.op is Op.TRUE)


def _conditions(told: Sequence[_Told], ghosts: Sequence[str]) -> Iterator[str]:
    every = list(dict.fromkeys(text for one in told for text in one.conditions))
    common = [text for text in every if all(text in one.conditions for one in told)]
    yield from _best(common)
    for ghost in ghosts:
        free = [one for one in told if ghost not in one.ghosts]
        if free and len(free) < len(told):
            both = [text for text in every if text not in common and all(text in one.conditions for one in free)]
            yield from (f"{ghost} || {_operand(text)}" for text in _best(both) if ghost not in text)
    yield from _values(told)
    cases = list(dict.fromkeys(tuple(_best(one for one in each.conditions if one not in common)) for each in told))
    if 1 < len(cases) <= MOST_CASES and all(cases):
        told_once = dict.fromkeys(" && ".join(map(_operand, case[:2])) for case in cases)
        text = " || ".join(f"({one})" for one in told_once)
        if len(told_once) > 1 and len(text) <= 2 * LONGEST:
            yield text


def _values(told: Sequence[_Told]) -> Iterator[str]:
    """Of variables that have a known value in every label, which ones: all of them, or their bounds."""
    known = [{found[1]: found[2] for text in one.conditions if (found := _VALUE.fullmatch(text))} for one in told]
    for name in known[0]:
        if all(name in one for one in known):
            values = sorted({int(one[name]) for one in known})
            if 1 < len(values) <= MOST_VALUES:
                yield " || ".join(f"{name} == {value}" for value in values)
            elif len(values) > 1:
                yield f"{name} >= {values[0]} && {name} <= {values[-1]}"


def _best(conditions: Iterable[str]) -> list[str]:
    """Equations first, and short ones: they say most."""
    return sorted(conditions, key=lambda one: ("==" not in one, len(one)))


def _plain(conditions: list[str]) -> list[str]:
    """Each once, and without what needs conversions, if there is something else."""
    once = list({re.sub(r"[()]", "", one): one for one in reversed(conditions)}.values())[::-1]
    return [one for one in once if "unsigned" not in one] or once


def _operand(text: str) -> str:
    return f"({text})" if "||" in text or "&&" in text or "?" in text else text
