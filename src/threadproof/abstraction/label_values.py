"""What labels can say where the threads stand: equations between the variables that matter there, and literals.

Columns of the equations are the variables that can still decide a guard or a trap. Literals are made from what the
program compares: conditions of letters and what must not happen, also before a letter or two; comparisons of variables
that are compared somewhere with others of the same kind.

Invariants: all of these are only candidates. What a label says is what has been proved of it (`domains/by_models`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations, islice

from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.label_parts import LabelParts
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import Instance, Location, Places
from threadproof.domains.by_models import Weakened
from threadproof.domains.equations import Equations
from threadproof.domains.literals import Literals
from threadproof.encoding.transitions import Transition
from threadproof.encoding.transitions.all_letters import LetterKey
from threadproof.smt.conjunctions import flat
from threadproof.smt.context import conjuncts
from threadproof.smt.term import BOOL, BitVec, Op, Term, in_order, variables

_BACK = 2  # what must not go wrong is asked for there, and so many letters less one before
_LITERALS = 300
_PARTS = 60  # conditions of what must not go wrong, at each distance
_SMALL = 80  # terms in a literal
_COMPOUND = 12  # terms that are no variables in the equations of a node
_GIVEN = 3  # variables that threads were given and nobody reads any more, in a plain label
_SPLITS = 12  # predicates that tell nodes at the same places apart
_NUMBERS = 4  # that variables of one width are compared with
_BYTE = 8
_CONNECTIVES = (Op.AND, Op.OR, Op.NOT, Op.TRUE, Op.FALSE)
_PLAIN = 16  # terms in a plain literal, reads of arrays as one
_PLAINLY = (*_CONNECTIVES, Op.VAR, Op.VALUE, Op.SELECT, Op.EQ, Op.SLT, Op.ULT, Op.ADD, Op.SUB, Op.NEG)
_COMPARED = 8  # variables of one kind that are compared with each other


_ByLocation = Mapping[tuple[Instance, Location], frozenset[Term]]


class Relevance:
    """Which variables matter where the threads stand: some thread may read them before it writes them, and what it
    reads can decide a guard or what may go wrong.

    Whoever reads a variable that he has not written since reads what it is now, or what another thread writes later. So
    what matters for one of the threads alone, as in sequential programs, is all that matters.

    What threads were given and nobody writes any more still counts when all have read it: others may have been counted
    down from it (`left == whole - done`).
    """

    def __init__(self, product: ThreadProduct, goal: ThreadGoal) -> None:
        self._product = product
        self._goal = goal
        self.transitions = list(goal.transitions())
        self._uses = self._used()
        self.deciding = self._cone()
        self._live = self._backwards(self._needed)
        self._ahead = self._backwards(self._written)
        self._given = self._given_to_threads()
        self._at: dict[tuple[Places, bool], tuple[Term, ...]] = {}

    def at(self, places: Places, *, plain: bool = False) -> tuple[Term, ...]:
        """`plain`: without what threads were given and nobody reads any more, if that is much."""
        found = self._at.get((places, plain))
        if found is None:
            decided, live = self._product.known(places), self._all_of(self._live, places) & self.deciding
            given = (self._given & self.deciding) - self._all_of(self._ahead, places) - live - decided.keys()
            kept = live if plain and len(given) > _GIVEN else live | given
            found = tuple(sorted((one for one in kept if one not in decided), key=lambda term: term.id))
            self._at[places, plain] = found
        return found

    def _all_of(self, found: _ByLocation, places: Places) -> frozenset[Term]:
        return frozenset[Term]().union(*(found.get(one, frozenset()) for one in places.threads))

    def _cone(self) -> frozenset[Term]:
        conditions = [one for key, t in self.transitions for one in self._goal.conditions(key, t)]
        deciding = set(variables(conditions))
        rest = [(v, frozenset(variables([new]))) for _, t in self.transitions for v, new in t.updates.items()]
        while True:
            more = [names for v, names in rest if v in deciding and not names <= deciding]
            if not more:
                return frozenset(deciding)
            deciding = deciding.union(*more)

    def _used(self) -> dict[LetterKey, list[tuple[frozenset[Term], frozenset[Term]]]]:
        """What each letter reads and writes."""
        found: dict[LetterKey, list[tuple[frozenset[Term], frozenset[Term]]]] = {}
        for key, t in self.transitions:
            found.setdefault(key, []).append((t.reads, frozenset(t.updates)))
        return found

    def _given_to_threads(self) -> frozenset[Term]:
        """Numbers that a thread may read which it has not written."""
        templates, main = self._product.automaton.templates, self._product.automaton.main
        others = [one for one in self._product.space.instances if one.template != main]
        entries = [self._live.get((one, templates[one.template].entry), frozenset[Term]()) for one in others]
        return frozenset(v for v in frozenset[Term]().union(*entries) if isinstance(v.sort, BitVec))

    def _backwards(self, before: Callable[[LetterKey, frozenset[Term]], frozenset[Term]]) -> _ByLocation:
        """What is found before each letter, given what is behind it, until nothing changes. What is found where a
        thread begins is found behind the letter that starts it."""
        templates, nothing = self._product.automaton.templates, frozenset[Term]()
        letters = [
            (instance, letter)
            for instance in reversed(self._product.space.instances)
            for letter in reversed(templates[instance.template].letters)
            if (instance, letter.id) in self._uses
        ]
        found: dict[tuple[Instance, Location], frozenset[Term]] = {}
        changed = True
        while changed:
            changed = False
            for instance, letter in letters:
                new = (i for i in self._product.space.instances if i.template in letter.forks)
                behind = found.get((instance, letter.target), nothing).union(
                    *(found.get((one, templates[one.template].entry), nothing) for one in new)
                )
                here = found.get((instance, letter.source), nothing)
                more = here | before((instance, letter.id), behind)
                if more != here:
                    found[instance, letter.source], changed = more, True
        return found

    def _needed(self, key: LetterKey, behind: frozenset[Term]) -> frozenset[Term]:
        return frozenset[Term]().union(*(reads | (behind - written) for reads, written in self._uses[key]))

    def _written(self, key: LetterKey, behind: frozenset[Term]) -> frozenset[Term]:
        return behind.union(*(written for _, written in self._uses[key]))


class LabelValues:
    """The domain of each node, by where the threads stand."""

    def __init__(self, product: ThreadProduct, goal: ThreadGoal, *, choices: bool = False) -> None:
        """`choices`: literals are also made of what assignments choose by."""
        self.relevance = Relevance(product, goal)
        self._choices = choices
        self._goal = goal
        self._product = product
        self._terms = product.terms
        self._literals = list(self._templates())
        self._compound = self._compounds()
        self._support = {literal: frozenset(variables([literal])) for literal in self._literals}
        self._plain = {one for one in self._literals if _is_plain(one)}
        self._made: dict[tuple[tuple[Term, ...], bool], LabelParts] = {}
        self._splits: dict[Places, dict[Term, None]] = {}

    def bottom(self, places: Places, *, plain: bool = False) -> LabelParts:
        """`plain`: only with what is simple to say. Sizes and addresses of blocks, for one, mostly follow from that."""
        columns = self.relevance.at(places, plain=plain)
        found = self._made.get((columns, plain))
        if found is None:
            there = frozenset(columns)
            literals = [
                one for one in self._literals if self._support[one] <= there and not (plain and one not in self._plain)
            ]
            compound = [
                one for one, names in self._compound.items() if names <= there and not (plain and _is_multiple(one))
            ]
            compound = compound[:_COMPOUND]
            parts: list[Weakened] = [Literals(self._terms, literals)]
            words = [one for one in (*columns, *compound) if isinstance(one.sort, BitVec)]
            for width in sorted({one.width for one in words}):
                parts.append(Equations(self._terms, tuple(one for one in words if one.width == width)))
            found = self._made[columns, plain] = LabelParts(*parts).bottom()
        return found

    def learn(self, literals: Iterable[tuple[Places, Term]]) -> bool:
        """More to say, from now on, and nodes with these places are told apart by it; whether any of it is new."""
        new = False
        for places, one in literals:
            splits = self._splits.setdefault(places, {})
            if one in splits or len(splits) >= _SPLITS or not self._is_about_state(one):
                continue
            splits[one] = None
            new = True
            if one not in self._support:
                self._literals.append(one)
                self._plain.add(one)
                self._support[one] = frozenset(variables([one]))
        self._made.clear()
        return new

    def splits(self, places: Places) -> Iterable[Term]:
        return self._splits.get(places, ())

    def _compounds(self) -> dict[Term, frozenset[Term]]:
        """Terms that are added up in letters and are no sums themselves, with their variables: reads of arrays,
        products, choices."""
        updates = [new for _, t in self.relevance.transitions for new in t.updates.values()]
        wanted = [one for key, t in self.relevance.transitions for one in self._goal.conditions(key, t)]
        found = {
            one: frozenset(variables([one]))
            for one in in_order([*updates, *wanted])
            if one.op in (Op.SELECT, Op.ITE, Op.MUL) and isinstance(one.sort, BitVec) and one.width > 1
        }
        found.update((one, frozenset(variables([one]))) for one in self._widened())
        inputs = self._inputs
        return {one: names for one, names in found.items() if names and names.isdisjoint(inputs)}

    def _widened(self) -> Iterable[Term]:
        """Bytes, which are truth values mostly, beside the numbers that are counted with: `sum + b = 1`."""
        sums = {
            new.width
            for _, t in self.relevance.transitions
            for v, new in t.updates.items()
            if new.op is Op.ADD and v in self.relevance.deciding
        }
        for one in sorted(self.relevance.deciding - self._inputs, key=lambda term: term.id):
            if isinstance(one.sort, BitVec) and one.width == _BYTE:
                yield from (self._terms.zext(one, width) for width in sorted(sums) if width > _BYTE)

    # --- literals ----------------------------------------------------------------------------------------------------

    def _templates(self) -> Iterable[Term]:
        found: dict[Term, None] = {}
        every = [t for _, t in self.relevance.transitions]
        for one in self._atoms(every):
            found[one] = None
            found[self._terms.not_(one)] = None
        wrong = [one for key, t in self.relevance.transitions for one in self._goal.conditions(key, t)[1:]]
        parts = self._parts(map(self._terms.not_, self._terms.substitute(wrong, self._waited_for())))
        for _ in range(_BACK):
            found.update(dict.fromkeys(parts))
            parts = self._parts(t.after([part])[0] for part in parts for t in every if self._touches(t, part))
        found.update(dict.fromkeys(self._comparisons(list(found))))
        found.update(dict.fromkeys(self._alone()))
        trivial = (self._terms.true, self._terms.false)
        kept = (one for one in found if one not in trivial and self._is_about_state(one) and _is_small(one))
        return sorted(kept, key=lambda one: not _is_plain(one))[:_LITERALS]

    def _waited_for(self) -> dict[Term, Term]:
        """That threads have ended, as whoever joins them asks. Whether they have, the places say; what must hold then
        is of use before, too."""
        threads = self._product.space.threads.values()
        return {asked: self._terms.true for one in threads for asked in (one.started, one.finished)}

    def _parts(self, formulas: Iterable[Term]) -> list[Term]:
        """Their conjuncts that are about the state alone, and not too many."""
        parts = dict.fromkeys(part for formula in formulas for part in conjuncts(formula))
        kept = (one for one in parts if one.op is not Op.TRUE and _is_small(one) and self._is_about_state(one))
        return list(islice(kept, _PARTS))

    def _touches(self, transition: Transition, formula: Term) -> bool:
        return not frozenset(variables([formula])).isdisjoint(transition.updates)

    def _is_about_state(self, formula: Term) -> bool:
        return frozenset(variables([formula])) <= self.relevance.deciding - self._inputs

    @cached_property
    def _inputs(self) -> frozenset[Term]:
        return frozenset(one.term for _, t in self.relevance.transitions for one in t.inputs)

    def _atoms(self, transitions: Sequence[Transition]) -> Iterable[Term]:
        """Of guards. What is asked of an input is asked of the variable that it becomes the value of."""
        for transition in transitions:
            asked = [transition.guard]
            if self._choices:
                deciding = (new for v, new in transition.updates.items() if v in self.relevance.deciding)
                asked += [one.args[0] for one in in_order(list(deciding)) if one.op is Op.ITE]
            parts = [one for one in in_order(asked) if one.sort is BOOL and one.op not in _CONNECTIVES]
            parts += [one for one in flat(transition.guard) if one.op not in (Op.TRUE, Op.FALSE)]  # clauses, too
            kept = {new: v for v, new in transition.updates.items() if new in self._inputs}
            yield from parts
            yield from self._terms.substitute(parts, kept) if kept else ()

    def _comparisons(self, formulas: Sequence[Term]) -> Iterable[Term]:
        """Between variables that are compared with something somewhere, by sort, and with numbers that are; first of
        all those that are compared with each other."""
        kinds: dict[tuple[object, Op], dict[Term, None]] = {}
        numbers: dict[int, list[Term]] = {}
        yield from self._turned(formulas)
        for part in in_order(formulas):
            if part.op in (Op.ULT, Op.SLT, Op.EQ) and isinstance(part.args[0].sort, BitVec):
                for arg in part.args:
                    if arg.op is Op.VAR:
                        kinds.setdefault((arg.sort, part.op), {})[arg] = None
                    elif arg.op is Op.VALUE and len(numbers.setdefault(arg.width, [])) < _NUMBERS:
                        numbers[arg.width] += [] if arg in numbers[arg.width] else [arg]
        for (_, op), compared in kinds.items():
            if op is Op.EQ:
                continue
            less = self._terms.ult if op is Op.ULT else self._terms.slt
            pairs = list(combinations(list(compared)[:_COMPARED], 2))
            pairs += [(one, number) for one in compared for number in numbers.get(one.width, ())]
            for a, b in pairs:
                yield from (less(a, b), less(b, a), self._terms.not_(less(a, b)), self._terms.not_(less(b, a)))

    def _turned(self, formulas: Sequence[Term]) -> Iterable[Term]:
        """Of `x < y`: `y < x`, and that it is not so."""
        for part in in_order(formulas):
            if part.op in (Op.ULT, Op.SLT) and all(arg.op is Op.VAR for arg in part.args):
                less = self._terms.ult if part.op is Op.ULT else self._terms.slt
                turned = less(*reversed(part.args))
                yield from (turned, self._terms.not_(turned))

    def _alone(self) -> Iterable[Term]:
        terms = self._terms
        for one in sorted(self.relevance.deciding, key=lambda term: term.id):
            if one.sort is BOOL:
                yield from (one, terms.not_(one))
            elif isinstance(one.sort, BitVec):
                zero = terms.bv(0, one.width)
                yield from (terms.not_(terms.slt(one, zero)), terms.slt(zero, one))


def _is_plain(formula: Term) -> bool:
    """Compares variables, reads of arrays, sums of them and numbers; no more than a few."""
    todo, count = [formula], 0
    while todo:
        one = todo.pop()
        count += 1
        if count > _PLAIN or one.op not in _PLAINLY:
            return False
        if one.op is not Op.SELECT:
            todo += one.args
    return True


def _is_multiple(term: Term) -> bool:
    return term.op is Op.MUL and any(arg.op is Op.VALUE for arg in term.args)


def _is_small(formula: Term) -> bool:
    return sum(1 for _ in islice(in_order([formula]), _SMALL + 1)) <= _SMALL
