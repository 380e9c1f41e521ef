"""Engines side by side on one program, each in a process of its own: the first with evidence ends the others.

Invariants: what a process tells was judged there, against the reference semantics. Two verdicts that contradict each
other are never settled by who was first. The memory of all of them together stays below the limit: the largest one
is ended, the others go on.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import re
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError, InternalError
from threadproof.core.observer import Observer
from threadproof.core.result import Answer, Verdict
from threadproof.engines.task import Task
from threadproof.portfolio.engines import Turn
from threadproof.portfolio.judge import judge
from threadproof.portfolio.messages import Contradicted, Crashed, Message, PipeObserver, Progress, RefusedRequest, tell
from threadproof.portfolio.plan import Plan, processors
from threadproof.portfolio.processes import (
    below,
    die_with_parent,
    end_session,
    kill,
    memory_mb,
    of_session,
    processor_s,
)

TICK_S = 0.1
GRACE_S = 0.4  # after the end of the time, for an engine that is just about to say how far it came
LIGHT = frozenset(("bmc",))
"""Engines that need no native machine, so none of the libraries with it: the import takes longer than many a proof."""
BUSY = 4.0
"""Seconds that go by for one of the processor, at most: who has used less waits for something."""
_OF_TIME = re.compile(r"time(: |$)")
_BOUND = re.compile(r" \(safe up to \d+ iterations\)$")


@dataclass(frozen=True, slots=True)
class Entrant:
    turn: Turn
    process: BaseProcess
    pipe: Connection
    budget: Budget

    def used(self) -> float:
        """Seconds of the processors; where the system does not tell, those that have gone by."""
        seconds = None if self.process.pid is None else processor_s(self.process.pid)
        return self.budget.elapsed() if seconds is None else seconds

    def is_quick(self, plan: Plan) -> bool:
        """Whether the searches still wait for this quick engine. When its turn is over it may go on checking its claim,
        but the searches start beside it."""
        turn = self.turn
        return turn in plan.quick and self.budget.left() > 0 and self.used() < min(turn.alone_s, turn.at_most_s)

    def gives_way(self) -> bool:
        return self.turn.niceness > 0 and self.used() >= self.turn.patience_s


class Contest:
    def __init__(
        self, task: Task, plan: Plan, budget: Budget, observer: Observer, command: Callable[[str], str]
    ) -> None:
        """To be called by the leader of a session, which ends with it; `command` tells how to ask one engine alone."""
        assert os.getsid(0) == os.getpid()
        self._command = command
        self._task = task
        self._plan = plan
        self._budget = budget
        self._observer = observer
        self._waiting = list(plan.turns)
        self._running: list[Entrant] = []
        self._answers: dict[str, Answer] = {}
        self._crashes: dict[str, Crashed] = {}

    def begin(self) -> None:
        """Before anything is imported, on processors that would be idle: who needs nothing of that."""
        if len(self._plan.turns) > 1 and all(turn.alone_s == 0 for turn in self._plan.quick):
            early = [turn for turn in self._plan.searches if turn.engine in LIGHT and not turn.after_s]
            gc.freeze()
            self._start(early[: processors() - 1])

    def run(self) -> Answer:
        if len(self._plan.turns) > 1:
            import_module("threadproof.codegen.runs.native")  # once, with numpy, and not in each of the children
        gc.freeze()  # the program is shared with the children as long as nobody writes to it
        self._start_first(processors() - len(self._running))
        self._start_first(self._due())
        while self._running and self._budget.left() > -GRACE_S:
            for entrant in self._ready():
                self._hear(entrant)
            decided = [one for one in self._answers.values() if one.verdict is not Verdict.UNKNOWN]
            if decided:
                return self.agreed(decided[0])
            self._hold_memory()
            self._start_first(max(processors() - len(self._running), self._due()))
            self._give_way()
        for entrant in self._running:
            self._give_up(entrant, "time")
        return self._unknown()

    # --- processes -------------------------------------------------------------------------------------------------

    def _due(self) -> int:
        """How many of those that wait begin now even if no processor is idle."""
        if any(entrant.is_quick(self._plan) for entrant in self._running):
            return 0
        searching = [entrant for entrant in self._running if entrant.turn in self._plan.searches]
        had = max((max(one.used(), one.budget.elapsed() / BUSY) for one in searching), default=0.0)
        due = next((n for n, turn in enumerate(self._waiting) if turn.after_s > had), len(self._waiting))
        return due if searching else max(1, due)

    def _start_first(self, places: int) -> None:
        self._start(self._waiting[: max(0, places)])

    def _start(self, turns: Iterable[Turn]) -> None:
        for turn in turns:
            self._waiting.remove(turn)
            context = multiprocessing.get_context("fork")
            receiving, sending = context.Pipe(duplex=False)
            arguments = (sending, turn, self._task, self._budget)
            process = context.Process(target=_compete, args=arguments, name=turn.engine)
            process.start()
            sending.close()
            self._running.append(Entrant(turn, process, receiving, self._budget.part(turn.share)))

    def _ready(self) -> list[Entrant]:
        """Those that have something to say, or never will again."""
        timeout = max(0.0, min(TICK_S, self._budget.left() + GRACE_S))
        heard = wait([entrant.pipe for entrant in self._running], timeout)
        return [e for e in self._running if e.pipe in heard or not e.process.is_alive()]

    def _hear(self, entrant: Entrant) -> None:
        try:
            if entrant.pipe.poll():
                self._take(entrant, entrant.pipe.recv())
            elif not entrant.process.is_alive() and not entrant.pipe.poll():
                raise EOFError
        except (EOFError, OSError):
            entrant.process.join()
            self._give_up(entrant, f"ended without an answer (exit code {entrant.process.exitcode})")

    def _take(self, entrant: Entrant, message: Message) -> None:
        engine = entrant.turn.engine
        match message:
            case Progress():
                self._observer.progress(message.what, **message.figures)
                return
            case Answer():
                self._answers[engine] = message
                if message.verdict is Verdict.UNKNOWN:
                    self._observer.progress(
                        f"{engine}: {_OF_TIME.sub('its time is over, ', message.reason) or 'gave up'}"
                    )
            case Crashed():
                self._crashes[engine] = message
            case RefusedRequest():
                raise InputError(message.why)
            case Contradicted(found=Answer() as found) if len(self._plan.turns) > 1:
                self._answers[engine] = replace(found, notes=(message.what,))
            case Contradicted():
                raise self._internal(engine, message)
        self._running.remove(entrant)

    def _give_up(self, entrant: Entrant, reason: str) -> None:
        engine = entrant.turn.engine
        self._answers[engine] = Answer(self._task.property, Verdict.UNKNOWN, engine, reason=reason)
        self._running = [other for other in self._running if other is not entrant]

    def _give_way(self) -> None:
        """Who has had its time goes on with what the others leave."""
        for entrant in self._running:
            if entrant.gives_way() and entrant.process.pid:
                with suppress(OSError, AttributeError):  # it has ended; or another system
                    mine = os.getpriority(os.PRIO_PROCESS, 0)
                    os.setpriority(os.PRIO_PROCESS, entrant.process.pid, mine + entrant.turn.niceness)

    def _hold_memory(self) -> None:
        limit = self._budget.memory_mb
        if limit is None:
            return
        everyone = of_session(os.getsid(0))
        if memory_mb(everyone, limit) <= limit or not self._running:
            return
        trees = [(entrant, below(entrant.process.pid or -1, everyone)) for entrant in self._running]
        largest, tree = max(trees, key=lambda pair: sum(one.resident_mb for one in pair[1]))
        kill(tree)
        self._give_up(largest, "memory")

    # --- the end -----------------------------------------------------------------------------------------------------

    def agreed(self, first: Answer) -> Answer:
        """The first answer, unless one that arrived at the same time says the opposite. The others end."""
        end_session(os.getsid(0), spare=(os.getpid(),))
        for entrant in list(self._running):
            for message in _last_words(entrant.pipe):
                if isinstance(message, Answer):
                    self._answers[entrant.turn.engine] = message
        for other in self._answers.values():
            if other.verdict not in (first.verdict, Verdict.UNKNOWN):
                claims = f"{first.engine} says {first.verdict}, {other.engine} says {other.verdict}"
                raise InternalError(claims, (self._command(first.engine), self._command(other.engine)))
        return replace(first, notes=(*first.notes, *self._notes()))

    def _unknown(self) -> Answer:
        if self._crashes:
            raise self._internal(*next(iter(self._crashes.items())))
        answers = [self._answers[turn.engine] for turn in self._in_order() if turn.engine in self._answers]
        if len(answers) == 1:
            return answers[0]
        reason = _reasons(answers)
        stats = {one.engine: one.stats for one in answers}
        answer = Answer(self._task.property, Verdict.UNKNOWN, "auto", reason=reason, stats=stats)
        shown = next((one for one in answers if one.trace is not None), None)
        return answer if shown is None else replace(answer, trace=shown.trace, notes=shown.notes)

    def _in_order(self) -> Iterable[Turn]:
        """The searches know more about why."""
        return (*self._plan.searches, *self._plan.quick)

    def _internal(self, engine: str, message: Contradicted | Crashed) -> InternalError:
        error = InternalError(message.what, (self._command(engine),))
        error.add_note(message.where)
        return error

    def _notes(self) -> list[str]:
        return [f"the engine {engine} failed: {crash.what}" for engine, crash in self._crashes.items()]


def _reasons(answers: list[Answer]) -> str:
    """What each engine says, once where several say the same."""
    engines: dict[str, list[str]] = {}
    for one in answers:
        said = _BOUND.sub("", one.reason)
        if one.engine == "random" and (known := next((r for r in engines if one.reason.endswith(r)), None)):
            said = known  # after its runs it names the construct that the searches name
        elif one.engine == "random" and _OF_TIME.match(said) and not any(_OF_TIME.match(r) for r in engines):
            if not one.stats.get("runs"):
                continue  # its time was over before it began: that is not the reason
            said = _OF_TIME.sub("", said)
        engines.setdefault(said, []).append(one.engine)
    return "; ".join(f"{', '.join(names)}: {said}" for said, names in engines.items())


def _compete(pipe: Connection, turn: Turn, task: Task, budget: Budget) -> None:
    """The child: one engine, and the check of what it says."""
    die_with_parent(signal.SIGKILL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def answer() -> Answer:
        result = turn.load()(task, turn.budget(budget), PipeObserver(pipe, turn.engine))
        return judge(task.program, task.property, turn.engine, result, budget, task.memory_model, task.seed)

    tell(pipe, task.property, turn.engine, answer)


def _last_words(pipe: Connection) -> list[Message]:
    found: list[Message] = []
    try:
        while pipe.poll():
            found.append(pipe.recv())
    except (EOFError, OSError):
        pass
    return found
