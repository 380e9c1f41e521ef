"""The litmus programs notice errors that explorers have had: each is planted, and a count goes wrong."""

from __future__ import annotations

from typing import Any

import pytest
from test_litmus import EXPECTED, system

from threadproof.explore import clocks
from threadproof.explore.dependence import ByFootprints, StepDependence
from threadproof.explore.por import optimal_dpor, reversals, wakeup
from threadproof.explore.program_lts import ProgramLTS
from threadproof.explore.traces import WrongDependence
from threadproof.sync import footprint
from threadproof.sync.footprint import Mode


def is_wrong(name: str) -> bool:
    try:
        found = optimal_dpor.explore(system(name))
    except (WrongDependence, KeyError):
        return True
    return (found.traces, found.blocked) != (EXPECTED[name]["traces"], EXPECTED[name]["blocked"])


@pytest.mark.parametrize("name", ["philosophers-deadlock-2", "never-unlock", "keep-one-of-two"])
def test_steps_of_waiting_threads_forgotten(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProgramLTS, "waits_for", lambda *_: ())
    assert is_wrong(name)


def test_other_readers_keep_the_writer_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reversals, "_without_rivals", lambda history, position, _: history.notdep(position))
    assert is_wrong("readers-keep")


def test_locks_race_only_if_adjacent(monkeypatch: pytest.MonkeyPatch) -> None:
    real = clocks.History.push

    def push(self: clocks.History[Any], step: Any) -> None:
        real(self, step)
        event = self.events[-1]
        adjacent = [
            early for early in event.conflicts if not any(self.before(early, i) for i in event.conflicts if i > early)
        ]
        object.__setattr__(event, "conflicts", tuple(adjacent))

    monkeypatch.setattr(clocks.History, "push", push)
    assert is_wrong("lock-counter-3x1")


def test_wakeup_sequence_cut_to_the_past_of_the_second_step(monkeypatch: pytest.MonkeyPatch) -> None:
    real = reversals._of_event

    def of_event(lts: Any, history: Any, states: Any, position: int, rivals: Any) -> Any:
        for rival in rivals:
            later = [e for e in history.events if e.thread == rival.thread and position in e.conflicts]
            past = later[0].past if later else history.knows(rival.thread)
            monkeypatch.setattr(
                clocks.History,
                "notdep",
                lambda self, at, past=past: [
                    e for e in self.events[at + 1 :] if past.get(e.thread, 0) >= e.index and e is not self.events[at]
                ],
            )
            yield from real(lts, history, states, position, [rival])

    monkeypatch.setattr(reversals, "_of_event", of_event)
    assert is_wrong("last-zero-3")


@pytest.mark.parametrize(
    ("modes", "name"),
    [
        ((Mode.WRITE, Mode.WRITE), "writers-3"),
        ((Mode.WRITE, Mode.WRITE), "create-in-thread"),
        ((Mode.WRITE, Mode.READ), "lost-wake-up"),
        ((Mode.READ, Mode.WRITE), "trylock-both"),
    ],
)
def test_modes_that_do_not_commute(modes: tuple[Mode, Mode], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    commute = footprint._COMMUTE | {modes, (modes[1], modes[0])}
    monkeypatch.setattr(footprint, "_COMMUTE", commute)
    assert is_wrong(name)


def test_sleeping_threads_never_wake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ByFootprints, "independent", lambda *_: True)
    assert is_wrong("sb")


def test_one_choice_stands_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A way of a thread that sleeps is taken to cover its other ways."""
    real = wakeup.apart

    def apart(steps: Any, sequence: Any, relation: StepDependence) -> Any:
        return [
            s for s in steps if all(s.thread != other.thread and relation.independent(s, other) for other in sequence)
        ] or real(steps, sequence, relation)

    monkeypatch.setattr(wakeup, "apart", apart)
    assert is_wrong("choice-of-place")
