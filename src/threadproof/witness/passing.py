"""When an execution passes a waypoint: what the machine reports of a step, held against the segment that is next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import ThreadId
from threadproof.witness.constraints import WaypointConstraints, result_fits
from threadproof.witness.model import Segment, Waypoint, WaypointAction, WaypointKind
from threadproof.witness.source_text import CStatement, SourceTexts
from threadproof.witness.watching import Sight, SightKind, WatchedMachine

_SIGHTS = {
    WaypointKind.ASSUMPTION: SightKind.STATEMENT,
    WaypointKind.TARGET: SightKind.STATEMENT,
    WaypointKind.BRANCHING: SightKind.BRANCH,
    WaypointKind.FUNCTION_ENTER: SightKind.ENTER,
    WaypointKind.FUNCTION_RETURN: SightKind.RETURN,
}
Names = tuple[tuple[str, ThreadId], ...]


class WaypointPlaces:
    """Which places of the text waypoints mean."""

    def __init__(self, watched: WatchedMachine, texts: SourceTexts) -> None:
        self._watched = watched
        self._texts = texts
        self._statements: dict[Waypoint, CStatement | None] = {}
        self._passable: dict[Waypoint, bool] = {}

    def known(self, segments: Sequence[Segment]) -> tuple[tuple[Segment, ...], int]:
        """The segments without what no execution of the program can be seen to pass, and how many that were."""
        kept: list[Segment] = []
        left = 0
        for index, segment in enumerate(segments):
            last = index == len(segments) - 1
            some = tuple(one for one in segment if self._can_be_seen(one) or (last and one.kind is WaypointKind.TARGET))
            left += len(segment) - len(some)
            if any(one.action is WaypointAction.FOLLOW for one in some):
                kept.append(some)
        return tuple(kept), left

    def _can_be_seen(self, waypoint: Waypoint) -> bool:
        key = replace(waypoint, thread=None, constraint="")
        if key not in self._passable:
            statement = self.statement(waypoint)
            self._passable[key] = statement is not None and self._watched.can_see(
                waypoint.position.file, statement, _SIGHTS[waypoint.kind]
            )
        return self._passable[key]

    def statement(self, waypoint: Waypoint) -> CStatement | None:
        if waypoint not in self._statements:
            text = self._texts.of(waypoint.position.file)
            found = None if text is None else text.statement(waypoint.position.line, waypoint.position.column)
            self._statements[waypoint] = found
        return self._statements[waypoint]

    def at_target(self, waypoint: Waypoint, locs: Sequence[SourceLoc]) -> bool:
        """Whether one of the places is in the statement that the waypoint names; yes, if that cannot be told."""
        wanted, text = self.statement(waypoint), self._texts.of(waypoint.position.file)
        if wanted is None or text is None:
            return True
        for loc in locs:
            offset = text.offset(loc.line, loc.column or 1) if self._texts.of(loc.file) is text else None
            if offset is not None and wanted.start <= offset < wanted.end:
                return True
            if loc.line == waypoint.position.line:
                return True
        return False

    def is_at(self, waypoint: Waypoint, sight: Sight) -> bool:
        if sight.text is not self._texts.of(waypoint.position.file) or _SIGHTS[waypoint.kind] is not sight.kind:
            return False
        of_call = sight.kind in (SightKind.ENTER, SightKind.RETURN)
        if not of_call or not waypoint.position.column:
            return sight.statement is not None and sight.statement == self.statement(waypoint)
        # Formats differ in which character of a call they mean: its statement counts, and its line.
        return (
            sight.statement == self.statement(waypoint) or sight.text.place(sight.offset)[0] == waypoint.position.line
        )


class Passing:
    """How far one step gets. The segment with the target is not passed: its violation is looked for."""

    def __init__(
        self,
        segments: Sequence[Segment],
        goals: int,
        passed: int,
        names: Names,
        places: WaypointPlaces,
        constraints: WaypointConstraints,
    ) -> None:
        self._segments = segments
        self._goals = goals
        self._places = places
        self._constraints = constraints
        self._done: set[Waypoint] = set()  # of the segment that is next
        self.passed = passed
        self.names = names
        self.avoided = False

    def see(self, sight: Sight) -> None:
        if self.passed >= self._goals or self.avoided:
            return
        segment = self._segments[self.passed]
        follows = [one for one in segment if one.action is WaypointAction.FOLLOW]
        for waypoint in follows:
            if waypoint not in self._done and self._passes(waypoint, sight):
                self._name(waypoint, sight.thread)
                self._done.add(waypoint)
                break
        if len(self._done) == len(follows):
            self.passed += 1
            self._done = set()
        elif any(one not in follows and self._passes(one, sight) for one in segment):
            self.avoided = True

    def _passes(self, waypoint: Waypoint, sight: Sight) -> bool:
        if not self._places.is_at(waypoint, sight) or not self._may_be(waypoint.thread, sight.thread):
            return False
        match waypoint.kind:
            case WaypointKind.BRANCHING:
                return waypoint.constraint not in ("true", "false") or (waypoint.constraint == "true") == sight.taken
            case WaypointKind.FUNCTION_RETURN:
                return result_fits(waypoint.constraint, sight.value)
            case WaypointKind.FUNCTION_ENTER:
                return True
            case _:
                return self._constraints.holds(waypoint.constraint, sight.state(), sight.thread)

    def _may_be(self, name: str | None, thread: ThreadId) -> bool:
        if name is None:
            return True
        names = dict(self.names)
        return names[name] == thread if name in names else thread not in names.values()

    def _name(self, waypoint: Waypoint, thread: ThreadId) -> None:
        if waypoint.thread is not None and waypoint.thread not in dict(self.names):
            self.names = (*self.names, (waypoint.thread, thread))
