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
class MonitorStage:
    """A state of an observer: its score, and where it goes on, by the first condition that holds."""

    score: MonitorText
    edges: tuple[tuple[MonitorText, int], ...]
    accepts: bool  # the formula may hold here
    fails: bool  # the run is given up

    @property
    def texts(self) -> tuple[MonitorText, ...]:
        return (self.score, *(when for when, _ in self.edges))


@dataclass(frozen=True, slots=True)
class MonitorObserver:
    """A small automaton that reads the run; at every state it takes at most one edge."""

    stages: tuple[MonitorStage, ...]
    start: int

    def functions(self) -> Iterator[str]:
        for name, marks in (
            ("STAGE_ACCEPTS", [stage.accepts for stage in self.stages]),
            ("STAGE_FAILS", [stage.fails for stage in self.stages]),
        ):
            yield f"static const u8 {name}[] = {{ {', '.join(str(int(mark)) for mark in marks)} }};"
        yield "static u32 next_stage(State *S, u32 stage) {\n    switch (stage) {"
        for number, stage in enumerate(self.stages):
            tests = " ".join(f"if ({when.text}) return {to};" for when, to in stage.edges)
            yield f"    case {number}: {tests} break;"
        yield "    }\n    return stage;\n}"
        yield "static double watch_score(State *S, u32 stage) {\n    switch (stage) {"
        for number, stage in enumerate(self.stages):
            yield f"    case {number}: return (double)({stage.score.text});"
        yield "    }\n    return 0;\n}"


@dataclass(frozen=True, slots=True)
class Monitor:
    """Evaluated in the first state and after every step."""

    watch: MonitorWatch = MonitorWatch.NOTHING
    condition: MonitorText | None = None  # b
    before: MonitorText | None = None  # a of a U b
    aggregate: MonitorAggregate = MonitorAggregate.NONE
    value: MonitorText | None = None
    score: MonitorText | MonitorObserver | None = None
    prints: bool = False  # every state as a number, for counting different ones; not on a GPU

    @property
    def _texts(self) -> tuple[MonitorText, ...]:
        observer = self.score if isinstance(self.score, MonitorObserver) else None
        stages = () if observer is None else observer.stages
        given = (self.condition, self.before, self.value, self.score, *(text for one in stages for text in one.texts))
        return tuple(text for text in given if isinstance(text, MonitorText))

    @property
    def declarations(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line for text in self._texts for line in text.declarations))

    @property
    def keeps(self) -> frozenset[tuple[str, str]]:
        return frozenset(keep for text in self._texts for keep in text.keeps)

    def functions(self) -> Iterator[str]:
        yield f"#define WATCH {self.watch.value}"
        yield f"#define AGGREGATE {self.aggregate.value}"
        yield f"#define PRINTS {int(self.prints)}"
        yield f"#define HAS_SCORE {int(self.score is not None)}"
        observer = self.score if isinstance(self.score, MonitorObserver) else None
        yield f"#define HAS_OBSERVER {int(observer is not None)}"
        yield f"#define FIRST_STAGE {0 if observer is None else observer.start}"
        if observer is not None:
            yield from observer.functions()
        for kind, name, text in (
            ("int", "watch_condition", self.condition),
            ("int", "watch_before", self.before),
            ("double", "watch_value", self.value),
            *([] if isinstance(self.score, MonitorObserver) else [("double", "watch_score", self.score)]),
        ):
            parameters = "State *S, u32 stage" if name == "watch_score" else "State *S"
            body = "0" if text is None else text.text if kind == "double" else f"!!({text.text})"
            yield f"static inline {kind} {name}({parameters}) {{ return ({kind})({body}); }}"


NO_MONITOR = Monitor()


def reach(condition: MonitorText) -> Monitor:
    return Monitor(MonitorWatch.REACH, condition)


def globally(condition: MonitorText) -> Monitor:
    return Monitor(MonitorWatch.GLOBALLY, condition)


def until(before: MonitorText, condition: MonitorText) -> Monitor:
    return Monitor(MonitorWatch.UNTIL, condition, before)


def aggregate(how: MonitorAggregate, value: MonitorText) -> Monitor:
    return Monitor(aggregate=how, value=value)
