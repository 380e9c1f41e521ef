"""Source around the line each thread stands at, threads side by side, the focused one always among them."""

from __future__ import annotations

import linecache

from threadproof.core.thread_id import name
from threadproof.report.lanes import Line, StyledSpan
from threadproof.simulate.session import Session
from threadproof.simulate.text import ACROSS, HERE, beside
from threadproof.simulate.world import Status, ThreadStanding

GOOD_WIDTH, MIN_WIDTH = 44, 34  # narrower panes cut every line of C


def panes(session: Session, now: list[Status], width: int, height: int) -> list[Line]:
    shown = _chosen(session, now, width)
    if not shown:
        return []
    each = width // len(shown)
    widths = [each] * (len(shown) - 1) + [width - each * (len(shown) - 1)]
    columns = [
        ([_title(session, status, size), *_source(session, status, height - 1)], size)
        for status, size in zip(shown, widths, strict=True)
    ]
    return beside(columns)


def _chosen(session: Session, now: list[Status], width: int) -> list[Status]:
    """Threads that stand somewhere; if not all fit, the focused one and those that can move go first. Those that
    wait get no room that the others could use."""
    live = [status for status in now if status.standing is not ThreadStanding.FINISHED and status.loc.line]
    order = sorted(live, key=lambda s: (s.thread != session.focus, s.standing is ThreadStanding.BLOCKED, s.number))
    moving = sum(s.standing is not ThreadStanding.BLOCKED or s.thread == session.focus for s in live)
    most = max(1, min(moving, width // MIN_WIDTH), width // GOOD_WIDTH)
    return sorted(order[:most], key=lambda s: s.number)


def _title(session: Session, status: Status, width: int) -> Line:
    focused = status.thread == session.focus
    title = f"{ACROSS}{ACROSS} {name(status.thread)} in {status.function} "
    rest = ACROSS * max(0, width - len(title))
    return (StyledSpan(title, "bold" if focused else "dim"), StyledSpan(rest, "dim"))


def _source(session: Session, status: Status, height: int) -> list[Line]:
    lines = linecache.getlines(status.loc.file)
    if not lines:
        return [(StyledSpan(f"  {status.loc} (its text is not here)", "dim"),)]
    first = max(1, min(status.loc.line - height // 2, len(lines) - height + 1))
    digits = len(str(first + height))
    found: list[Line] = []
    for number in range(first, min(first + height, len(lines) + 1)):
        text = "".join(sign if sign.isprintable() else " " for sign in lines[number - 1].rstrip().expandtabs(4))
        current = number == status.loc.line
        style = "reverse" if current and status.thread == session.focus else "bold" if current else ""
        mark = HERE if current else " "
        found.append(
            (StyledSpan(f" {mark}{number:>{digits}} ", "bold" if current else "dim"), StyledSpan(text or " ", style))
        )
    return found
