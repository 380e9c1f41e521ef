"""The automaton for people: as a listing, and as dot text for graphviz. `*` marks what other threads can notice,
`>` what may as well happen after, `<` before what another thread does meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from threadproof.automaton.letters import End, Letter, Location, Step, StepMover
from threadproof.automaton.threads import ThreadAutomaton
from threadproof.ir.dot import guarded_edges, quoted
from threadproof.ir.instr import Branch, Jump, Switch
from threadproof.ir.show import show_instr, show_moves

_MARKS = {StepMover.NONE: "* ", StepMover.RIGHT: "> ", StepMover.LEFT: "< ", StepMover.BOTH: "  "}


def letter_name(letter: Letter) -> str:
    return f"a{letter.id} {letter.kind.value}"


def letter_lines(letter: Letter) -> list[str]:
    """What the letter does, line by line: guards in brackets, instructions, moves."""
    found: list[str] = []
    for step in letter.steps:
        mark = _MARKS[step.mover]
        found.extend(f"{mark}{line}" for line in _step(step))
    return found


def location_text(location: Location) -> str:
    """Where it is, in words."""
    if isinstance(location.at, End):
        return location.at.value
    calls = "".join(f"{site.function}:{site.block}.{site.number} > " for site in location.context)
    inside = " in an atomic block" if location.depth else ""
    return f"{calls}{location.at.function}:{location.at.block}.{location.at.number}{inside}"


def listing(threads: Iterable[ThreadAutomaton]) -> str:
    return "\n".join("\n".join(_listing(thread)) + "\n" for thread in threads)


def to_dot(threads: Iterable[ThreadAutomaton]) -> str:
    """One graph, each template a cluster."""
    lines = [
        "digraph program {",
        "  node [shape=circle, fontname=monospace, fontsize=11, margin=0.04];",
        "  edge [fontname=monospace, fontsize=10];",
    ]
    for index, thread in enumerate(threads):
        lines.extend(_cluster(index, thread))
    return "\n".join([*lines, "}"]) + "\n"


def _step(step: Step) -> Iterator[str]:
    instr = step.instr
    match instr:
        case Jump() | Branch() | Switch():
            guard, edge = list(guarded_edges(instr))[step.taken or 0]
            yield from [f"[{guard}]"] if guard else []
            yield from [show_moves(edge)] if edge.moves else []
        case _:
            enters = f", then {step.enters}" if step.enters and step.enters not in show_instr(instr) else ""
            yield f"{'cancelled at ' if step.cancelled else ''}{show_instr(instr)}{enters}"


def _listing(thread: ThreadAutomaton) -> Iterator[str]:
    heads = ", ".join(str(location) for location in thread.locations if location in thread.loop_heads)
    loops = f", loop heads {heads}" if heads else ""
    yield f"{thread.template}: {len(thread.locations)} locations, {len(thread.letters)} letters{loops}"
    for location in thread.locations:
        yield f"  {location}  {location_text(location)}"
        for letter in thread.letters_from(location):
            yield f"    -> {letter.target}  {letter_name(letter)}"
            yield from (f"      {line}" for line in letter_lines(letter))


def _cluster(index: int, thread: ThreadAutomaton) -> Iterator[str]:
    def node(location: Location) -> str:
        return quoted(f"{thread.template}:{location}")

    yield f"  subgraph cluster_{index} {{"
    yield f"    label={quoted(thread.template)}; fontname=monospace; style=rounded; color=gray70;"
    for location in thread.locations:
        looks = ", style=bold" if location == thread.entry or location in thread.loop_heads else ""
        if isinstance(location.at, End):
            looks = ", shape=doublecircle"
        label = location.at.value if isinstance(location.at, End) else str(location)
        yield f"    {node(location)} [label={quoted(label)}{looks}];"
    for letter in thread.letters:
        label = "".join(f"{quoted(line)[1:-1]}\\l" for line in (letter_name(letter), *letter_lines(letter)))
        yield f'    {node(letter.source)} -> {node(letter.target)} [label="{label}"];'
    yield "  }"
