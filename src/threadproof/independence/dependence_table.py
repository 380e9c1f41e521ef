"""Which layer decides what for each pair of letters of different threads: a table for people and for counting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from threadproof.analysis.footprints.dependence import Beyond, Region, StaticDependence
from threadproof.analysis.points_to import ObjectKind
from threadproof.automaton import Instance, Letter, ProgramAutomaton, Step, ThreadAutomaton
from threadproof.automaton.letters import StepMover, is_join
from threadproof.core.graph import reached
from threadproof.encoding.transitions import Encoder, Space
from threadproof.independence.answers import SwapAnswer
from threadproof.independence.pairs import InstanceLetter
from threadproof.independence.swaps import Swaps
from threadproof.ir import instr as ir
from threadproof.ir.program import Program
from threadproof.smt.terms import Terms
from threadproof.sync.phrases import PHRASES


@dataclass(frozen=True, slots=True)
class ShownLetter:
    """A letter in the program's words."""

    name: str  # of the thread and the letter: unique
    template: str
    line: int
    does: str


@dataclass(frozen=True, slots=True)
class DependenceRow:
    first: ShownLetter
    second: ShownLetter
    answer: SwapAnswer  # of `first;second`
    back: SwapAnswer  # of `second;first`


@dataclass(frozen=True, slots=True)
class DependenceTable:
    rows: tuple[DependenceRow, ...]
    private: Mapping[str, int]  # letters of each template that concern their thread alone


def instances(automaton: ProgramAutomaton) -> dict[str, int]:
    """Two of every template of which there may be two threads at a time, one of the others."""
    found = dict.fromkeys(automaton.templates, 0)
    for name, thread in automaton.templates.items():
        for letter in thread.letters:
            for template in letter.forks:
                found[template] += 2 if name != automaton.main or _comes_again(thread, letter) else 1
    return {name: 1 if name == automaton.main else min(max(count, 1), 2) for name, count in found.items()}


def open_swaps(program: Program, automaton: ProgramAutomaton) -> Swaps:
    return Swaps(Encoder(Space(Terms(), program, automaton, instances(automaton))))


def letter_pairs(swaps: Swaps) -> Iterator[tuple[InstanceLetter, InstanceLetter]]:
    """Every pair of letters of two threads that others can notice, once."""
    space = swaps.inclusions.violations.encoder.space
    letters = {name: _noticed(thread.letters) for name, thread in space.automaton.templates.items()}
    names = list(letters)
    for place, one in enumerate(names):
        for other in names[place:]:
            second = Instance(other, 1 if one == other else 0)
            if second not in space.threads:
                continue
            for number, a in enumerate(letters[one]):
                for b in letters[other][number if one == other else 0 :]:
                    yield _of(Instance(one, 0), a), _of(second, b)


def dependence_table(swaps: Swaps) -> DependenceTable:
    space = swaps.inclusions.violations.encoder.space
    words = _Words(space)
    rows = tuple(
        DependenceRow(words.of(a), words.of(b), swaps.swap(a, b), swaps.swap(b, a)) for a, b in letter_pairs(swaps)
    )
    templates = space.automaton.templates.items()
    private = {name: len(thread.letters) - len(_noticed(thread.letters)) for name, thread in templates}
    return DependenceTable(rows, private)


def _comes_again(thread: ThreadAutomaton, letter: Letter) -> bool:
    return letter.source in reached([letter.target], lambda at: [after.target for after in thread.letters_from(at)])


def _noticed(letters: tuple[Letter, ...]) -> list[Letter]:
    return [letter for letter in letters if letter.noticed is not None]


def _of(instance: Instance, letter: Letter) -> InstanceLetter:
    """Forks start the first instance that is not the forking one."""
    starts = tuple(Instance(name, int(Instance(name, 0) == instance)) for name in letter.forks)
    return InstanceLetter(instance, letter, starts)


class _Words:
    def __init__(self, space: Space) -> None:
        self._static = StaticDependence(space.program, space.points_to)
        self._known: dict[InstanceLetter, ShownLetter] = {}

    def of(self, one: InstanceLetter) -> ShownLetter:
        found = self._known.get(one)
        if found is None:
            letter = one.letter
            first = next((n for n, step in enumerate(letter.steps) if step.mover is not StepMover.BOTH), 0)
            does = dict.fromkeys(text for step in letter.steps[first:] if (text := self._step(step)))
            name = f"{letter.template} a{letter.id}"
            line = letter.steps[first].instr.loc.line
            found = ShownLetter(name, letter.template, line, ", ".join(does) or "goes on")
            self._known[one] = found
        return found

    def _step(self, step: Step) -> str:
        match step.instr:
            case ir.Load():
                return f"reads {self._objects(step)}"
            case ir.Store():
                return f"writes {self._objects(step)}"
            case ir.Rmw() | ir.CompareExchange():
                return f"updates {self._objects(step)}"
            case ir.Alloc(storage=ir.Storage.HEAP):
                return "allocates"
            case ir.Free():
                return f"frees {self._objects(step)}"
            case ir.Sync() if step.enters:
                return f"creates a thread of {step.enters}"
            case ir.Sync() if is_join(step.instr):
                return "joins a thread"
            case ir.Sync(op=op):
                return PHRASES.get(op, op.replace("_", " ")).format(self._objects(step)).strip()
            case ir.Return() if not step.context:
                return "ends"
            case ir.Error():
                return "fails"
            case ir.Halt():
                return "ends the program"
            case ir.Unsupported():
                return "is not supported"
            case _:
                return ""

    def _objects(self, step: Step) -> str:
        regions = self._static.regions(step.site.function, step.instr)
        return " or ".join(sorted({_object(region) for region in regions if not isinstance(region.root, Beyond)}))


def _object(region: Region) -> str:
    assert not isinstance(region.root, Beyond)
    if region.root.kind is ObjectKind.ANYTHING:
        return "something"
    where = "[]" if region.at.stride else f"+{region.at.start}" if region.at.start else ""
    return f"{region.root.name or 'a block'}{where}"
