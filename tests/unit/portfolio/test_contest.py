"""Engines side by side, with engines made for the purpose: who answers, who is ended, what is said about the others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from threadproof.core import budget
from threadproof.core.budget import Budget, resident_mb
from threadproof.core.errors import InternalError
from threadproof.core.observer import Observer, Silent
from threadproof.core.proofs import CompleteExploration, Covered
from threadproof.core.property import Property
from threadproof.core.result import Answer, Result, Safe, Unknown, Unsafe, Verdict
from threadproof.core.schedule import Move
from threadproof.engines import races
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import VerifyOptions, engines, plan, prepare, verify
from threadproof.portfolio.processes import of_session

WRONG = "void reach_error(void); int main(void) { reach_error(); }"
SAFE = Safe(CompleteExploration(Covered.STATES))
UNSAFE = Unsafe((Move(()),))
HIDDEN = """
void reach_error(void); unsigned __VERIFIER_nondet_uint(void);
int main(void) { if (__VERIFIER_nondet_uint() * 2654435761u == 12345u) reach_error(); return 0; }
"""
HIT = Unsafe((Move((), (12345 * pow(2654435761, -1, 1 << 32) % (1 << 32),)),))
"""One value of all leads to the error: no random run finds it."""
TIMEOUT_S = 900.0  # longer than any of these tests takes on the busiest machine
Check = Callable[[Task, Budget, Observer], Result]


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    before = {one.pid for one in of_session(os.getsid(0)) if one.parent == os.getpid()}
    yield
    assert {one.pid for one in of_session(os.getsid(0)) if one.parent == os.getpid()} <= before


@pytest.fixture
def cast(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Gives the roles of the engines to other functions; those who are not named know nothing. Nobody looks first."""
    monkeypatch.setattr("threadproof.portfolio.glance.LARGEST", 0)
    for name in ("CHECKING_S", "CHECKING_LEAST_S"):  # however busy the machine is: a run that refutes a proof ends it
        monkeypatch.setattr(f"threadproof.portfolio.judge.{name}", 5.0)

    def cast(**roles: Check) -> None:
        for name in list(engines.ENGINES):
            module = ModuleType(f"role_of_{name}")
            module.__dict__["check"] = roles.get(name, lambda *_: Unknown("no idea"))
            monkeypatch.setitem(sys.modules, module.__name__, module)
            monkeypatch.setitem(engines.ENGINES, name, replace(engines.ENGINES[name], module=module.__name__))

    return cast


def ask(tmp_path: Path, source: str = WRONG, prop: Property = Property.UNREACH_CALL, **options: object) -> Answer:
    file = tmp_path / "main.c"
    file.write_text(source, encoding="utf-8")
    given = {"timeout": TIMEOUT_S, **options}
    (answer,) = verify([str(file)], [prop], VerifyOptions(**given), Silent())  # type: ignore[arg-type]
    return answer


def endless(*_: object) -> Result:
    while True:
        time.sleep(1)


def with_compiler(pid_file: Path) -> Check:
    """An engine whose child has a process group of its own, as compilers have."""

    def check(*_: object) -> Result:
        child = subprocess.Popen(["sleep", "1000"], process_group=0)
        leave(pid_file, child.pid)
        child.wait()
        return Unknown("interrupted")

    return check


def after(path: Path, result: Result) -> Check:
    def check(*_: object) -> Result:
        wait_for(path.exists)
        return result

    return check


def after_the_end_of(path: Path, result: Result) -> Check:
    def check(*_: object) -> Result:
        wait_for(lambda: has_ended(path))
        return result

    return check


def wait_for(happened: Callable[[], bool]) -> None:
    while not happened():
        time.sleep(0.01)


def leave(path: Path, pid: int) -> None:
    """Whoever sees the file sees the number in it."""
    path.with_suffix(".part").write_text(str(pid))
    path.with_suffix(".part").rename(path)


def has_ended(path: Path) -> bool:
    """The process whose number is in that file: all that it had to say was sent."""
    return path.exists() and not alive(int(path.read_text()))


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_first_with_evidence_ends_the_others_and_their_children(
    cast: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid_file = tmp_path / "pid"
    monkeypatch.setattr("threadproof.portfolio.contest.processors", lambda: 5)  # all begin at once
    cast(explicit=with_compiler(pid_file), dpor=after(pid_file, UNSAFE), random=endless)
    answer = ask(tmp_path)
    assert (answer.verdict, answer.engine) == (Verdict.FALSE, "dpor")
    assert not alive(int(pid_file.read_text()))


class Waiting:
    """A clock that stands still until something has happened. From then on each look at it takes a moment, until the
    time of the engines is over and that of the whole command is not."""

    def __init__(self, happened: Callable[[], bool]) -> None:
        self._happened = happened
        self._looks = 0

    def __call__(self) -> float:
        if not self._looks and not self._happened():
            return 0.0
        self._looks += 1
        return min(TIMEOUT_S * 0.95 + 0.05 * self._looks, TIMEOUT_S * 0.99)


def test_a_limit_of_time_ends_all_and_says_who_was_at_work(
    cast: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler, told = tmp_path / "compiler", (tmp_path / "bmc", tmp_path / "trace", tmp_path / "random")
    monkeypatch.setattr(budget, "clock", Waiting(lambda: compiler.exists() and all(map(has_ended, told))))
    monkeypatch.setattr("threadproof.portfolio.contest.processors", lambda: 5)  # all begin at once

    def tells(path: Path) -> Check:
        return lambda *_: leave(path, os.getpid()) or Unknown("no idea")

    cast(
        explicit=with_compiler(compiler), dpor=endless, bmc=tells(told[0]), trace=tells(told[1]), random=tells(told[2])
    )
    answer = ask(tmp_path)
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.reason == "explicit, dpor: time; bmc, trace, random: no idea"
    assert not alive(int(compiler.read_text()))


def limit_mb(more: int) -> int:
    """Engines inherit what the process of the tests holds."""
    return more + int(resident_mb())


def test_who_takes_too_much_memory_is_ended_and_the_others_go_on(cast: Callable[..., None], tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"

    def greedy(*_: object) -> Result:
        leave(pid_file, os.getpid())
        held: list[bytes] = []
        while True:
            held.append(b"x" * 20_000_000)
            time.sleep(0.02)

    cast(explicit=greedy, dpor=after_the_end_of(pid_file, UNSAFE))
    answer = ask(tmp_path, memory_mb=limit_mb(500))
    assert (answer.verdict, answer.engine) == (Verdict.FALSE, "dpor")


def test_memory_of_all_together_is_counted(cast: Callable[..., None], tmp_path: Path) -> None:
    def half(*_: object) -> Result:
        """Holds its memory until another one was ended for holding as much, be it while it takes it."""
        (tmp_path / str(os.getpid())).touch()
        held = bytearray(b"x") * (most * 1_000_000 // 2)
        wait_for(lambda: not all(alive(int(file.name)) for file in tmp_path.iterdir() if file.name.isdigit()))
        return Unknown(str(len(held)))

    most = limit_mb(450)  # two of them are too much, whatever part of what they inherit is counted
    cast(explicit=half, dpor=half, random=half)
    answer = ask(tmp_path, memory_mb=most)
    assert answer.verdict is Verdict.UNKNOWN
    assert "memory" in answer.reason


@pytest.mark.parametrize("first", [SAFE, HIT], ids=["true", "false"])
def test_contradicting_verdicts_say_how_to_reproduce_them(
    cast: Callable[..., None], tmp_path: Path, first: Result
) -> None:
    """The worker is stopped until both answers are there."""
    second = HIT if first is SAFE else SAFE
    begun, stopped = tmp_path / "begun", tmp_path / "stopped"

    def other(*asked: Any) -> Result:
        leave(begun, os.getpid())
        return after(stopped, second)(*asked)

    def one(*asked: Any) -> Result:
        after(begun, first)(*asked)
        worker, me = os.getppid(), os.getpid()
        os.kill(worker, signal.SIGSTOP)
        stopped.touch()
        if os.fork() == 0:
            wait_for(lambda: has_ended(begun) and not alive(me))
            os.kill(worker, signal.SIGCONT)
            os._exit(0)
        return first

    cast(random=one, explicit=other)
    with pytest.raises(InternalError, match=r"says (true|false), \w+ says (true|false)") as caught:
        ask(tmp_path, HIDDEN, seed=7)
    assert {line.partition("--engine ")[2].split()[0] for line in caught.value.reproduce} == {"random", "explicit"}
    assert all("--property unreach-call" in line and "--seed 7" in line for line in caught.value.reproduce)


def breaks(*_: object) -> Result:
    raise RuntimeError("a bug")


def test_an_engine_that_crashes_is_noted(cast: Callable[..., None], tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    cast(random=lambda *_: leave(pid_file, os.getpid()) or breaks(), dpor=after_the_end_of(pid_file, UNSAFE))
    answer = ask(tmp_path)
    assert answer.verdict is Verdict.FALSE
    assert answer.notes == ("the engine random failed: RuntimeError: a bug",)


def test_a_crash_is_an_internal_error_if_nobody_knows_better(cast: Callable[..., None], tmp_path: Path) -> None:
    cast(explicit=breaks)
    with pytest.raises(InternalError, match="RuntimeError: a bug") as caught:
        ask(tmp_path)
    assert "--engine explicit" in caught.value.reproduce[0]


def test_an_engine_that_is_killed_knows_nothing(cast: Callable[..., None], tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"

    def falls(*_: object) -> Result:
        leave(pid_file, os.getpid())
        os.kill(os.getpid(), signal.SIGKILL)
        return SAFE

    cast(explicit=falls, dpor=after_the_end_of(pid_file, Unknown("no idea")))
    answer = ask(tmp_path)
    assert answer.verdict is Verdict.UNKNOWN
    assert "explicit: ended without an answer (exit code -9)" in answer.reason


def test_a_claim_that_does_not_replay_ends_everything(cast: Callable[..., None], tmp_path: Path) -> None:
    cast(dpor=lambda *_: Unsafe((Move((3,)),)), explicit=endless)
    with pytest.raises(InternalError, match="does not replay") as caught:
        ask(tmp_path)
    assert "--engine dpor" in caught.value.reproduce[0]


RACY = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); return 0; }
"""


def test_a_proof_about_races_that_a_run_refutes(cast: Callable[..., None], tmp_path: Path) -> None:
    """In `auto` the run is the answer; alone, the engine was wrong."""
    file = tmp_path / "main.c"
    file.write_text(RACY, encoding="utf-8")
    locked = prepare([str(file)], Property.NO_DATA_RACE, FrontendOptions())
    proof = races.check(Task(locked, Property.NO_DATA_RACE), Budget(TIMEOUT_S), Silent())
    assert isinstance(proof, Safe)
    cast(races=lambda *_: proof)
    unlocked = RACY.replace("pthread_mutex_lock(&m);", ";")
    answer = ask(tmp_path, unlocked, Property.NO_DATA_RACE)
    assert (answer.verdict, answer.engine) == (Verdict.FALSE, "races")
    assert "says no-data-race is true, but" in answer.notes[0]
    with pytest.raises(InternalError, match="says no-data-race is true, but") as caught:
        ask(tmp_path, unlocked, Property.NO_DATA_RACE, engine="races")
    assert "--engine races" in caught.value.reproduce[0]


def test_a_proof_of_any_engine_that_a_run_refutes(cast: Callable[..., None], tmp_path: Path) -> None:
    cast(bmc=lambda *_: SAFE)
    answer = ask(tmp_path)
    assert (answer.verdict, answer.engine) == (Verdict.FALSE, "bmc")
    assert "bmc says unreach-call is true, but a run shows: reach_error() is called" in answer.notes[0]
    with pytest.raises(InternalError, match="but a run shows") as caught:
        ask(tmp_path, engine="bmc")
    assert "--engine bmc" in caught.value.reproduce[0]


@pytest.mark.parametrize("cores", [1, 2])
def test_searches_wait_for_the_quick_ones_unless_a_processor_is_idle(
    cast: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    """The clock stands still: the turn of the quick ones ends with them."""
    monkeypatch.setattr(budget, "clock", lambda: 0.0)
    monkeypatch.setattr("threadproof.portfolio.contest.processors", lambda: cores)
    monkeypatch.setattr(plan, "TESTING", engines.Turn("random"))

    def notes(name: str, seconds: float) -> Check:
        def check(*_: object) -> Result:
            time.sleep(seconds)
            (tmp_path / name).write_text(str(time.monotonic()))
            return Unknown("noted")

        return check

    def quick(*asked: object) -> Result:
        if cores == 1:
            return notes("random", 0.5)(*asked)
        for name in ("explicit", "dpor"):
            after(tmp_path / name, UNSAFE)(*asked)
        return notes("random", 0.0)(*asked)

    cast(random=quick, explicit=notes("explicit", 0.0), dpor=notes("dpor", 0.0))
    ask(tmp_path)
    ended = {name: float((tmp_path / name).read_text()) for name in ("random", "explicit", "dpor")}
    assert (ended["explicit"] < ended["random"]) == (cores == 2)
    assert (ended["dpor"] < ended["random"]) == (cores == 2)


@pytest.mark.parametrize("idle", [False, True])
def test_who_is_rarely_the_first_begins_later_unless_a_processor_is_idle(
    cast: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, idle: bool
) -> None:
    """The clock stands still until all others have begun; where a processor is idle, for ever."""
    begun, late = [tmp_path / name for name in ("random", "explicit", "bmc")], tmp_path / "dpor"
    looks = count()
    monkeypatch.setattr(
        budget, "clock", lambda: 0.05 * next(looks) if not idle and all(map(Path.exists, begun)) else 0.0
    )
    monkeypatch.setattr("threadproof.portfolio.contest.processors", lambda: 4 if idle else 3)

    def waits(path: Path) -> Check:
        def check(*_: object) -> Result:
            path.touch()
            wait_for(late.exists)
            return Unknown("waited")

        return check

    def dpor(*_: object) -> Result:
        told = "in time" if idle or all(map(Path.exists, begun)) else "too soon"
        late.touch()
        return Unknown(told)

    cast(random=waits(begun[0]), explicit=waits(begun[1]), bmc=waits(begun[2]), dpor=dpor)
    assert "dpor: in time" in ask(tmp_path).reason


def test_processors_are_those_this_process_may_use() -> None:
    allowed = os.sched_getaffinity(0)
    seen: list[int] = []

    def look() -> None:
        os.sched_setaffinity(0, {min(allowed)})
        seen.append(plan.processors())

    thread = threading.Thread(target=look)  # affinity is a thread's
    thread.start()
    thread.join()
    assert seen == [1]
    assert plan.processors() == len(allowed)


def test_who_has_had_its_time_gives_way(
    cast: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def patient(*_: object) -> Result:
        wait_for(lambda: os.getpriority(os.PRIO_PROCESS, 0) > usual)
        return Unknown("gave way")

    usual = os.getpriority(os.PRIO_PROCESS, 0)
    monkeypatch.setattr(plan, "EXPLICIT", engines.Turn("explicit", patience_s=0.0, niceness=1))
    cast(explicit=patient)
    assert "gave way" in ask(tmp_path).reason


def test_the_time_of_a_turn_is_that_of_the_processor(
    cast: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a busy machine takes no engine's turn away."""

    def sleeping(_: Task, budget: Budget, __: Observer) -> Result:
        time.sleep(0.5)
        return Unknown("in time" if budget.exhausted() is None else "too late")

    def working(_: Task, budget: Budget, __: Observer) -> Result:
        while budget.exhausted() is None:
            pass
        return Unknown("at its end")

    monkeypatch.setattr(plan, "TESTING", engines.Turn("random", at_most_s=0.15))
    cast(random=sleeping)
    assert "in time" in ask(tmp_path).reason
    cast(random=working)
    assert "at its end" in ask(tmp_path).reason


def test_who_comes_later_waits_for_what_the_first_use(
    cast: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_work = tmp_path / "at_work"

    def first(*_: object) -> Result:
        time.sleep(0.4)
        leave(at_work, os.getpid())
        while True:
            pass

    monkeypatch.setattr("threadproof.portfolio.contest.processors", lambda: 1)
    monkeypatch.setattr(plan, "DPOR", engines.Turn("dpor", after_s=0.2))

    def later(*_: object) -> Result:
        return UNSAFE if at_work.exists() else Unknown("too soon")

    cast(explicit=first, dpor=later)
    answer = ask(tmp_path)
    assert (answer.verdict, answer.engine) == (Verdict.FALSE, "dpor")


def first_look(monkeypatch: pytest.MonkeyPatch, cores: int, look: Callable[[], Answer | None]) -> None:
    monkeypatch.setattr("threadproof.portfolio.contest.processors", lambda: cores)
    monkeypatch.setattr("threadproof.portfolio.asking.glance", lambda *_: look())


def test_who_needs_no_library_begins_beside_the_first_look_and_ends_with_it(
    cast: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid_file = tmp_path / "pid"

    def looks() -> Answer:
        while not pid_file.exists():
            time.sleep(0.01)
        return Answer(Property.UNREACH_CALL, Verdict.TRUE, "explicit")

    first_look(monkeypatch, 2, looks)
    cast(bmc=lambda *_: leave(pid_file, os.getpid()) or endless())
    assert ask(tmp_path).engine == "explicit"
    assert not alive(int(pid_file.read_text()))


def test_nobody_shares_the_only_processor_with_the_first_look(
    cast: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looks() -> None:
        assert len([one for one in of_session(os.getsid(0)) if one.parent == os.getpid()]) == 0

    first_look(monkeypatch, 1, looks)
    cast(bmc=lambda *_: UNSAFE)
    assert ask(tmp_path).engine == "bmc"


def test_the_first_look_and_who_begins_beside_it_may_not_contradict_each_other(
    cast: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid_file = tmp_path / "pid"

    def looks() -> Answer:
        while not has_ended(pid_file):
            time.sleep(0.01)
        return Answer(Property.UNREACH_CALL, Verdict.TRUE, "explicit")

    first_look(monkeypatch, 2, looks)
    cast(bmc=lambda *_: leave(pid_file, os.getpid()) or UNSAFE)
    with pytest.raises(InternalError, match="explicit says true, bmc says false"):
        ask(tmp_path)
