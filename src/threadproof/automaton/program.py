"""The whole program: its thread templates, and their instances, which are created on demand.

An instance is the n-th thread of a template. A fork starts the first that has not been started; if there may be no more
of them, the forking thread comes to its location `no more instances`, and whoever wants a proof has to show that it
cannot, or has to ask again with more. Nothing is multiplied out: `Places` are made one after the other.

Ends of the program (`End.HALTED`, errors) only stop their own thread. That loses no behaviour of the others and adds
none: such a letter changes nothing, so what the others do after it they could have done before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from threadproof.analysis.points_to import PointsTo, analyse
from threadproof.analysis.points_to.cloning import cloned
from threadproof.automaton.facts import CannotUnfold, Facts
from threadproof.automaton.letters import End, Letter, Location, StepMover
from threadproof.automaton.movers import Movers
from threadproof.automaton.threads import ThreadAutomaton
from threadproof.automaton.unfold import unfold
from threadproof.ir.control_flow import Site
from threadproof.ir.instr import Load
from threadproof.ir.program import Program


class Instance(NamedTuple):
    template: str
    number: int

    def __str__(self) -> str:
        return f"{self.template}#{self.number}" if self.number else self.template


@dataclass(frozen=True, slots=True)
class Places:
    """Where all threads are that have been started, in the order in which they were."""

    threads: tuple[tuple[Instance, Location], ...]

    def at(self, instance: Instance) -> Location:
        return next(location for one, location in self.threads if one == instance)

    @property
    def owner(self) -> Instance | None:
        """Who is inside an atomic block: letters of all others have to wait."""
        return next((one for one, location in self.threads if location.depth), None)

    @property
    def exhausted(self) -> bool:
        return any(location.at is End.EXHAUSTED for _, location in self.threads)


@dataclass(frozen=True, slots=True)
class ProgramAutomaton:
    main: str
    templates: dict[str, ThreadAutomaton]

    @property
    def letters(self) -> Iterator[Letter]:
        for thread in self.templates.values():
            yield from thread.letters

    def initial(self) -> Places:
        return Places(((Instance(self.main, 0), self.templates[self.main].entry),))

    def letters_from(self, places: Places) -> Iterator[tuple[Instance, Letter]]:
        """Every letter of every thread, those that have to wait included."""
        for instance, location in places.threads:
            for letter in self.templates[instance.template].letters_from(location):
                yield instance, letter

    def starts(self, places: Places, letter: Letter) -> tuple[Instance, ...]:
        """The instances that the forks of a letter start: of each template the first that has not been started."""
        found: list[Instance] = []
        for template in letter.forks:
            number = sum(one.template == template for one, _ in places.threads)
            found.append(Instance(template, number + sum(one.template == template for one in found)))
        return tuple(found)

    def after(self, places: Places, instance: Instance, letter: Letter, most: int | None = None) -> Places:
        """The places after a letter of a thread, if there are at most so many instances of each template."""
        started: list[tuple[Instance, Location]] = []
        target = letter.target
        for new in self.starts(places, letter):
            if most is not None and new.number >= most:
                exhausted = self.templates[instance.template].end(End.EXHAUSTED)
                assert exhausted is not None, "a template that forks has the location"
                target = exhausted
                break
            started.append((new, self.templates[new.template].entry))
        moved = ((one, target if one == instance else location) for one, location in places.threads)
        return Places((*moved, *started))


class LetterSize(Enum):
    SMALL = "one instruction that others could notice"
    LARGE = "movers around one that is none"


def program_automaton(
    program: Program, points_to: PointsTo | None = None, size: LetterSize = LetterSize.LARGE
) -> ProgramAutomaton:
    """Of a program in normal form. Raises CannotUnfold."""
    facts = Facts(program, points_to)
    templates = _templates(facts, None)
    if any(program.entry in letter.forks for thread in templates.values() for letter in thread.letters):
        raise CannotUnfold(f"{program.entry} is also started as a thread")
    if size is LetterSize.LARGE:
        templates = _templates(facts, _movers(facts, templates))
    return ProgramAutomaton(program.entry, templates)


def quiet_loads(program: Program) -> frozenset[Site]:
    """Reads of shared memory that nobody else writes whenever some thread comes to them."""
    facts = Facts(program)
    try:
        templates = _templates(facts, None)
    except CannotUnfold:
        return frozenset()
    movers = _movers(facts, templates)
    found: dict[Site, bool] = {}
    for name, thread in templates.items():
        for step in {step for letter in thread.letters for step in letter.steps if isinstance(step.instr, Load)}:
            both = movers.of(name, step.context, step.site, step.instr) is StepMover.BOTH
            found[step.site] = found.get(step.site, True) and both
    return frozenset(site for site, both in found.items() if both)


def _movers(facts: Facts, templates: dict[str, ThreadAutomaton]) -> Movers:
    clones = cloned(facts.program)
    copies = analyse(clones.program) if clones.functions else facts.points_to
    return Movers(templates, facts.program.entry, clones, copies)


def _templates(facts: Facts, movers: Movers | None) -> dict[str, ThreadAutomaton]:
    found: dict[str, ThreadAutomaton] = {}
    todo, letters = [facts.program.entry], 0
    while todo:
        name = todo.pop(0)
        if name not in found:
            found[name] = unfold(facts, name, letters + 1, movers)
            letters += len(found[name].letters)
            todo += [fork for letter in found[name].letters for fork in letter.forks]
    return found
