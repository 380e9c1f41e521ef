"""Stories of lost memory: who stored the last pointers to the block, and who overwrote or dropped them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from threadproof.core.thread_id import name
from threadproof.core.trace import Trace
from threadproof.report.told import WRITES, Sentence, Told, line_of

MOST = 2  # places that have held a pointer


def lost(trace: Trace, events: Sequence[Told]) -> Iterator[Sentence]:
    """Who stored pointers to the block, and what became of each."""
    found = re.match(r"memory is lost: nothing points any more to (\S+) \(", trace.cause)
    if found is None:
        return
    block = found[1]
    stores = _last_stores(events, block)
    for stored in stores[-MOST:]:
        gone = _overwritten(events, stored) or _freed_with(events, stored)
        text = f"{stored.who} stores {stored.value} in {stored.title}{line_of(stored.event.loc)}"
        if gone is not None:
            text += f"; {_what(gone, stored)}{line_of(gone.event.loc)}"
        yield Sentence(f"{text}.", (stored, *([gone] if gone else [])))
    made = [told for told in events if told.event.text.startswith(f"allocates {block} ")]
    if made and not stores:
        text = f"{made[0].who} allocates {block}{line_of(made[0].event.loc)} and stores a pointer to it nowhere else"
        yield Sentence(f"{text}: {name(trace.steps[-1].thread)} lets the last one go.", (made[0],))


def _last_stores(events: Sequence[Told], block: str) -> list[Told]:
    """For each place outside the block that has held a pointer into it, when it was last stored there."""
    points = re.compile(rf"&?{re.escape(block)}(?![\w#])")
    into = [told for told in events if told.event.kind in WRITES and points.match(told.value)]
    return list({told.title: told for told in into if not points.match(told.title)}.values())


def _overwritten(events: Sequence[Told], stored: Told) -> Told | None:
    later = (told for told in events if (told.step, told.place) > (stored.step, stored.place))
    return next(
        (told for told in later if told.event.kind in WRITES and told.title == stored.title != ""),
        None,
    )


def _freed_with(events: Sequence[Told], stored: Told) -> Told | None:
    """The block that holds the pointer is freed."""
    holder = re.split(r"->|\.|\[", stored.title)[0]
    later = (told for told in events if (told.step, told.place) > (stored.step, stored.place))
    return next((told for told in later if told.event.text == f"frees {holder}"), None)


def _what(gone: Told, stored: Told) -> str:
    if gone.event.text.startswith("frees "):
        return f"{gone.who} {gone.event.text}, which holds it"
    return f"{'it' if gone.thread == stored.thread else gone.who} overwrites it with {gone.value}"
