"""How near a run is to the rare event: an expression over the state, or an observer, a small automaton over traces.

The score of a state at which the query's formula holds is infinite; of one from which it can no longer hold, minus
infinity.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from threadproof.core.errors import InputError
from threadproof.engines.smc.language import expression as e
from threadproof.engines.smc.language.goal import resolve_expression
from threadproof.engines.smc.language.parse import QueryError
from threadproof.ir.program import Program

GOAL = math.inf
DEAD = -math.inf


@dataclass(frozen=True, slots=True)
class ObserverEdge:
    when: e.Term
    to: int


@dataclass(frozen=True, slots=True)
class Stage:
    """A state of the observer. In a state that fails the run is given up; `accepts`: the event may happen here."""

    name: str
    score: e.Term
    edges: tuple[ObserverEdge, ...]
    accepts: bool
    fails: bool


@dataclass(frozen=True, slots=True)
class ScoreObserver:
    """At every state of the run the first edge whose guard holds is taken, at most one per state."""

    stages: tuple[Stage, ...]
    start: int


Score = e.Term | ScoreObserver


def levels_as_score(formulas: list[e.Term]) -> e.Term:
    """Lodin's intermediate formulas: the score is the number of the highest one that holds."""
    score: e.Term = e.Num(0)
    for number, formula in enumerate(formulas, start=1):
        score = e.If(formula, e.Num(number), score)
    return score


def score_terms(score: Score) -> list[e.Term]:
    if not isinstance(score, ScoreObserver):
        return e.walk(score)
    found: list[e.Term] = []
    for stage in score.stages:
        found.extend(e.walk(stage.score))
        for edge in stage.edges:
            found.extend(e.walk(edge.when))
    return found


def read_score(program: Program, text: str) -> Score:
    """EXPR or FILE of the command line."""
    if text.endswith(".toml"):
        return read_observer(program, Path(text))
    return resolve_expression(program, text)


def read_observer(program: Program, path: Path) -> ScoreObserver:
    """The file format is described in docs/howto/write-an-observer.md."""
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not an observer: {error}") from None
    return _Reader(program, str(path)).observer(data)


class _Reader:
    def __init__(self, program: Program, path: str) -> None:
        self._program = program
        self._path = path

    def observer(self, data: dict[str, Any]) -> ScoreObserver:
        stages = data.get("state")
        if not isinstance(stages, dict) or not stages:
            raise InputError(f"{self._path}: an observer needs at least one [state.NAME]")
        tables = cast(dict[str, Any], stages)
        names = list(tables)
        start = data.get("start", names[0])
        return ScoreObserver(
            tuple(self._stage(name, tables[name], names) for name in names), self._index(start, names, "start")
        )

    def _stage(self, name: str, data: Any, names: list[str]) -> Stage:
        if not isinstance(data, dict):
            raise InputError(f"{self._path}: state.{name} is not a table")
        table = cast(dict[str, Any], data)
        for key in table:
            if key not in ("score", "go", "accept", "fail"):
                raise InputError(f"{self._path}: state.{name} has no '{key}': score, go, accept, fail")
        edges: list[ObserverEdge] = []
        for number, go in enumerate(table.get("go", []), start=1):
            where = f"state.{name}, go {number}"
            if not isinstance(go, dict) or set(cast(dict[str, Any], go)) != {"when", "to"}:
                raise InputError(f'{self._path}: {where}: written {{ when = "CONDITION", to = "STATE" }}')
            edge = cast(dict[str, Any], go)
            edges.append(ObserverEdge(self._term(edge["when"], where), self._index(edge["to"], names, where)))
        score = self._term(table.get("score", 0), f"state.{name}, score")
        return Stage(name, score, tuple(edges), bool(table.get("accept", False)), bool(table.get("fail", False)))

    def _index(self, name: Any, names: list[str], where: str) -> int:
        if name not in names:
            raise InputError(f"{self._path}: {where}: no state '{name}': choose one of {', '.join(names)}")
        return names.index(name)

    def _term(self, value: Any, where: str) -> e.Term:
        try:
            return resolve_expression(self._program, str(value))
        except QueryError as error:
            raise InputError(f"{self._path}: {where}: {error}") from None
