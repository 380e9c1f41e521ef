"""The story of a counterexample: a few sentences in the program's words, and the events they are about.

Nothing here decides anything. The trace is searched for the shapes that bugs of concurrent programs have; each one
found gives a sentence, and the last sentence is what went wrong.

Paper: Lu, Park, Seo, Zhou: Learning from Mistakes, ASPLOS 2008 (atomicity violations, order violations, deadlocks).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from threadproof.core.thread_id import ThreadId, name
from threadproof.core.trace import Bearing, EventKind, Trace, TraceStep
from threadproof.report.story_memory import lost
from threadproof.report.story_signals import stolen, waits_for_ever
from threadproof.report.told import WRITES, Sentence, Told, line_of

MOST = 4  # sentences besides the last
_WAITS = re.compile(r"(\S+) waits for (?:mutex |semaphore |a signal on |the end of )?(.+?)(?:, held by (\S+))? at \S+$")
_OUTSIDE = re.compile(r"(\S+) is (-?\d+)$")


@dataclass(frozen=True, slots=True)
class Story:
    sentences: tuple[str, ...]
    trace: Trace  # with the decisive events marked

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


def story(trace: Trace) -> Story:
    events = [
        Told(index, place, step.thread, step.function, step.locks, event)
        for index, step in enumerate(trace.steps)
        for place, event in enumerate(step.events)
    ]
    found: list[Sentence] = []
    for sentence in _sentences(trace, events):
        if len(found) < MOST and not any(_says_as_much(other, sentence) for other in found):
            found.append(sentence)
    decisive = {(told.step, told.place) for sentence in found for told in sentence.about}
    last = _last(trace)
    return Story((*(sentence.text for sentence in found), *([last] if last else [])), _marked(trace, decisive))


def _says_as_much(earlier: Sentence, sentence: Sentence) -> bool:
    """The same words, or about the same event first of all."""
    first = [(one.step, one.place) for one in (*earlier.about[:1], *sentence.about[:1])]
    return earlier.text == sentence.text or (len(first) == 2 and first[0] == first[1])


def _sentences(trace: Trace, events: Sequence[Told]) -> Iterator[Sentence]:
    if trace.cause.startswith("data race"):
        yield from _race(trace, events)
        return
    if trace.cause.startswith("deadlock"):
        yield from _deadlock(trace, events)
        return
    yield from _spurious(events)
    yield from stolen(trace, events)
    yield from _freed(trace, events)
    if trace.cause.startswith("memory is lost"):
        yield from lost(trace, events)
        return
    buffered = list(_buffered(events))
    yield from buffered
    too_early = {(told.step, told.place) for sentence in buffered for told in sentence.about}
    between = [one for one in _interrupted(trace, events) if (one.about[0].step, one.about[0].place) not in too_early]
    yield from between[-2:]
    yield from _outside(events)
    yield from _last_reads(trace, events)


# --- shapes ----------------------------------------------------------------------------------------------------------


def _interrupted(trace: Trace, events: Sequence[Told]) -> Iterator[Sentence]:
    """A thread reads, another writes there, and the first goes on with what it read: a lost update, or an old value."""
    for read, between, again in _reads(events):
        others = (told for told in reversed(between) if told.thread != read.thread and told.event.kind in WRITES)
        change = next((told for told in others if told.value != read.value), None)
        if change is None:
            continue
        where = line_of(read.event.loc)
        begin = f"{read.who} reads {read.title} = {read.value} in {read.function}{where}"
        if again is not None and again.event.kind in WRITES:
            text = (
                f"{begin}; before it writes {again.value} there, {change.who} writes {change.value}"
                f"{line_of(change.event.loc)}, which is lost. {_locks(read, change)}"
            )
            yield Sentence(text, (read, change, again))
        elif again is None and trace.steps[-1].thread == read.thread:
            text = f"{begin}; then {change.who} sets it to {change.value}{line_of(change.event.loc)}, and {read.who} "
            yield Sentence(text + "goes on with the old value.", (read, change))


def _reads(events: Sequence[Told]) -> Iterator[tuple[Told, list[Told], Told | None]]:
    """Reads that matter, with what happens at their place until the thread comes there again, and that event."""
    places: dict[str, list[Told]] = {}
    for told in events:
        if told.title:
            places.setdefault(told.title, []).append(told)
    found: list[tuple[Told, list[Told], Told | None]] = []
    for there in places.values():
        following: dict[ThreadId, int] = {}
        for at in range(len(there) - 1, -1, -1):
            read = there[at]
            if read.event.kind is EventKind.READ and read.event.role is not Bearing.ASIDE:
                again = following.get(read.thread, len(there))
                found.append((read, there[at + 1 : again], there[again] if again < len(there) else None))
            following[read.thread] = at
    return iter(sorted(found, key=lambda one: (one[0].step, one[0].place)))


def _locks(one: Told, other: Told) -> str:
    if not one.locks and not other.locks:
        return "Neither holds a lock."
    common = [lock for lock in one.locks if lock in other.locks]
    if common:
        return f"Both hold {common[0]}, but not from the read to the write."
    return f"{_holds(one)}, {_holds(other)}: no lock keeps them apart."


def _holds(told: Told) -> str:
    return f"{told.who} holds {' and '.join(told.locks)}" if told.locks else f"{told.who} holds no lock"


def _freed(trace: Trace, events: Sequence[Told]) -> Iterator[Sentence]:
    match = re.match(r"(use after free|double free) \(([^)]+)\)", trace.cause)
    if match is None:
        return
    for told in reversed(events):
        if told.event.text == f"frees {match[2]}":
            user = trace.steps[-1].thread
            kept = [
                other
                for other in events
                if other.thread == user and other.step < told.step and other.value == match[2]
                if other.event.kind is EventKind.READ
            ]
            have = f" after {name(user)} has read the pointer to it from {kept[-1].title}" if kept else ""
            mine = f"{told.who} frees {match[2]} in {told.function}{line_of(told.event.loc)}{have}."
            yield Sentence(mine, (told, *kept[-1:]))
            return


def _spurious(events: Sequence[Told]) -> Iterator[Sentence]:
    """A wait that ended although nobody signalled."""
    for at, wake in enumerate(events):
        text = wake.event.text
        if not text.startswith("wakes from waiting on ") or wake.event.role is Bearing.ASIDE:
            continue
        condition = text.removeprefix("wakes from waiting on ")
        begun = [
            i
            for i, told in enumerate(events[:at])
            if told.thread == wake.thread and told.event.text == f"begins to wait on {condition}"
        ]
        signals = (f"signals {condition}", f"broadcasts {condition}")
        if begun and not any(told.event.text in signals for told in events[begun[-1] : at]):
            yield Sentence(
                f"{wake.who} wakes from waiting on {condition}{line_of(wake.event.loc)} although nobody has signalled: "
                "a spurious wake-up, which POSIX allows.",
                (wake,),
            )


def _buffered(events: Sequence[Told]) -> Iterator[Sentence]:
    """A read that does not see another thread's store, since that is still in its store buffer."""
    for at, store in enumerate(events):
        if not store.event.text.endswith("(in its store buffer)"):
            continue
        for told in events[at + 1 :]:
            if told.title == store.title and told.event.kind is EventKind.FLUSH and told.thread == store.thread:
                break
            if told.title == store.title and told.event.kind is EventKind.READ and told.thread != store.thread:
                written = f"{store.who} writes {store.title} = {store.value}{line_of(store.event.loc)}"
                read = f"{told.who} reads {told.title} = {told.value}{line_of(told.event.loc)}"
                yield Sentence(f"{written}, but this waits in its store buffer: {read}.", (store, told))
                break


def _outside(events: Sequence[Told]) -> Iterator[Sentence]:
    for told in events:
        found = _OUTSIDE.match(told.event.text) if told.event.kind is EventKind.CHOICE else None
        if found is not None and told.event.role is not Bearing.ASIDE:
            text = f"The value {found[2]} comes from outside ({found[1]}{line_of(told.event.loc)})."
            yield Sentence(text, (told,))


def _last_reads(trace: Trace, events: Sequence[Told]) -> Iterator[Sentence]:
    """What the thread that fails has read last, and who wrote it."""
    failing = trace.steps[-1].thread if trace.steps else ()
    reads = [told for told in events if told.event.kind is EventKind.READ and told.thread == failing and told.title]
    for read in reads[-1:]:
        wrote = [
            told
            for told in events
            if told.title == read.title
            and told.event.kind in WRITES
            and (told.step, told.place) < (read.step, read.place)
        ]
        source = f", as {wrote[-1].who} left it in {wrote[-1].function}{line_of(wrote[-1].event.loc)}" if wrote else ""
        by_itself = bool(wrote) and wrote[-1].thread == failing
        text = f"{read.who} reads {read.title} = {read.value}{line_of(read.event.loc)}{'' if by_itself else source}."
        yield Sentence(text, (read, *([] if by_itself else wrote[-1:])))


def _race(trace: Trace, events: Sequence[Told]) -> Iterator[Sentence]:
    sides = [detail for detail in trace.details if ", holding " in detail]
    if len(sides) != 2:
        return
    yield Sentence(f"{_side(sides[0])}, and at the same time {_side(sides[1])}.")
    found = re.match(r"data race on (.+?): ", trace.cause)
    place = found[1] if found else ""
    held = {lock for told in events if told.title == place for lock in told.locks}
    missing = [lock for lock in sorted(held) if not all(f"holding {lock}" in side for side in sides)]
    if missing:
        yield Sentence(f"Elsewhere {place} is accessed under {' and '.join(missing)}.")


def _side(detail: str) -> str:
    what, _, locks = detail.rpartition(", holding ")
    return f"{what} ({'it holds ' + locks if locks != 'no lock' else 'no lock held'})"


def _deadlock(trace: Trace, events: Sequence[Told]) -> Iterator[Sentence]:
    waits = [found for detail in trace.details if (found := _WAITS.match(detail))]
    holders = {found[1]: found for found in waits if found[3]}
    ring = _ring(holders)
    if ring:
        parts = [f"{who} waits for {holders[who][2]}, which {holders[who][3]} holds" for who in ring]
        yield Sentence("; ".join(parts) + (": a circle." if len(ring) > 1 else ": its own lock."))
    yield from waits_for_ever(trace, events)


def _ring(holders: dict[str, re.Match[str]]) -> list[str]:
    """Threads each of which waits for a lock of the next."""
    for start in holders:
        path = [start]
        while path[-1] in holders and (following := holders[path[-1]][3]) not in path:
            path.append(following)
        if path[-1] in holders and holders[path[-1]][3] == start:
            return path
    return []


# --- words -----------------------------------------------------------------------------------------------------------


def _last(trace: Trace) -> str:
    if trace.details or not trace.steps:
        return ""
    step = trace.steps[-1]
    where = f" in {step.function}" if step.function not in ("", name(step.thread)) else ""
    return f"Then, in {name(step.thread)}{where}: {trace.cause}."


def _marked(trace: Trace, decisive: set[tuple[int, int]]) -> Trace:
    return replace(trace, steps=tuple(_step(step, index, decisive) for index, step in enumerate(trace.steps)))


def _step(step: TraceStep, index: int, decisive: set[tuple[int, int]]) -> TraceStep:
    if not any((index, place) in decisive for place in range(len(step.events))):
        return step
    marked = (
        replace(event, role=Bearing.DECISIVE) if (index, place) in decisive else event
        for place, event in enumerate(step.events)
    )
    return replace(step, events=tuple(marked))
