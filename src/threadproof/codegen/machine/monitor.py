"""What is watched along a run: a formula over states, a value, a score. Small values that hold C text
(`engines.smc.language.c_text` prints it)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class MonitorWatch(Enum):
    NOTHING = 0
    REACH = 1  # <> b
    GLOBALLY = 2  # [] b
    UNTIL = 3  # a U b


class MonitorAggregate(Enum):
    NONE = 0
    MAX = 1
    MIN = 2
    AVERAGE = 3


@dataclass(frozen=True, slots=True)
class MonitorText:
    """A C expression over `State *S`, with the tables it needs and the registers it keeps alive."""

    text: str
    declarations: tuple[str, ...] = ()
    keeps: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Monitor:
    """Evaluated in the first state and after every step."""

    watch: MonitorWatch = MonitorWatch.NOTHING
    condition: MonitorText | None = None  # b
    before: MonitorText | None = None  # a of a U b
    aggregate: MonitorAggregate = MonitorAggregate.NONE
    value: MonitorText | None = None
    score: MonitorText | None = None

    @property
    def _texts(self) -> tuple[MonitorText, ...]:
        given = (self.condition, self.before, self.value, self.score)
        return tuple(text for text in given if text is not None)

    @property
    def declarations(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line for text in self._texts for line in text.declarations))

    @property
    def keeps(self) -> frozenset[tuple[str, str]]:
        return frozenset(keep for text in self._texts for keep in text.keeps)

    def functions(self) -> Iterator[str]:
        yield f"#define WATCH {self.watch.value}"
        yield f"#define AGGREGATE {self.aggregate.value}"
        yield f"#define HAS_SCORE {int(self.score is not None)}"
        for kind, name, text in (
            ("int", "watch_condition", self.condition),
            ("int", "watch_before", self.before),
            ("double", "watch_value", self.value),
            ("double", "watch_score", self.score),
        ):
            body = "0" if text is None else text.text if kind == "double" else f"!!({text.text})"
            yield f"static inline {kind} {name}(State *S) {{ return ({kind})({body}); }}"


NO_MONITOR = Monitor()


def reach(condition: MonitorText) -> Monitor:
    return Monitor(MonitorWatch.REACH, condition)


def globally(condition: MonitorText) -> Monitor:
    return Monitor(MonitorWatch.GLOBALLY, condition)


def until(before: MonitorText, condition: MonitorText) -> Monitor:
    return Monitor(MonitorWatch.UNTIL, condition, before)


def aggregate(how: MonitorAggregate, value: MonitorText) -> Monitor:
    return Monitor(aggregate=how, value=value)
