"""Runs and repetitions made by the workers of a cluster.

A worker gets the program and the question once and compiles the machine itself, once; a thread of a worker has a
machine of its own. What it makes is a function of run numbers: the same as here.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from threadproof.cluster.crew import Crew
from threadproof.codegen.device.choice import DeviceChoice
from threadproof.engines.smc.language.goal import QueryGoal
from threadproof.engines.smc.options import SamplingMachine, SmcOptions
from threadproof.engines.smc.sampling.native import NativeSampler
from threadproof.engines.smc.sampling.sampler import Sampler
from threadproof.ir.program import Program

DEEP = 20_000
"""Expressions are nested, and so are the calls that read and write them."""
MOST_KEPT = 8
"""Machines of different questions that a worker keeps."""


class RunsWanted(Enum):
    EACH = "each"
    SUMS = "sums"


@dataclass(frozen=True, slots=True)
class RunsMade:
    made: Any  # RunBatch or RunSums
    chunk: int  # how large the next may be
    least: int
    name: str
    note: str


def on_client(options: SmcOptions) -> SmcOptions:
    """For the sampler here, which says how runs are made, and makes those that no worker can: GPUs are the workers'."""
    return options if options.cluster is None else replace(options, device=DeviceChoice.CPU)


def for_workers(options: SmcOptions, is_native: bool) -> SmcOptions:
    """No worker decides by itself what executes the runs."""
    machine = SamplingMachine.NATIVE if is_native else SamplingMachine.REFERENCE
    device = options.device if is_native else DeviceChoice.CPU
    return replace(options, machine=machine, device=device, jobs=1, timeout=None, cluster=None)


def question(*parts: Any) -> bytes:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEP))
    try:
        return pickle.dumps(parts)
    finally:
        sys.setrecursionlimit(before)


class AwayRuns:
    def __init__(self, crew: Crew, program: Program, goal: QueryGoal, options: SmcOptions, sampler: Sampler) -> None:
        asked = question(program, goal, for_workers(options, isinstance(sampler, NativeSampler)))
        self._crew = crew
        self._question = crew.share(asked, hashlib.sha256(asked).hexdigest())
        self._sampler = sampler
        self.chunk, self.least = sampler.chunk, sampler.least
        self.names: dict[str, None] = {}
        self.notes: dict[str, None] = {}

    def parts(self, wanted: RunsWanted, plan: Iterable[tuple[int, int]]) -> Generator[Any, None, None]:
        pieces = ((self._question, wanted, first, runs) for first, runs in plan)
        for _, found in self._crew.results(runs_there, pieces, here=self._here):
            self.chunk, self.least = found.chunk, found.least
            self.names[found.name] = None
            self.notes.update({found.note: None} if found.note else {})
            yield found.made

    def _here(self, _question: Any, wanted: RunsWanted, first: int, runs: int) -> RunsMade:
        return _made(self._sampler, wanted, first, runs)


def runs_there(asked: bytes, wanted: RunsWanted, first: int, runs: int) -> RunsMade:
    return _made(kept(asked, _sampler), wanted, first, runs)


def _made(sampler: Sampler, wanted: RunsWanted, first: int, runs: int) -> RunsMade:
    made = sampler.batch(first, runs) if wanted is RunsWanted.EACH else sampler.sums(first, runs)
    note = "" if sampler.place is None else sampler.place.note
    return RunsMade(made, sampler.chunk, sampler.least, sampler.name, note)


def _sampler(program: Program, goal: QueryGoal, options: SmcOptions) -> Sampler:
    from threadproof.engines.smc.sampling.machines import sampler_for

    return sampler_for(program, goal, options)


_kept: OrderedDict[tuple[str, int], Any] = OrderedDict()
_making = threading.Lock()


def kept(asked: bytes, make: Callable[..., Any]) -> Any:
    """`make` of the question's parts, from the last time if there was one in this thread. One thread makes at a time:
    the others then find the machine compiled."""
    key = hashlib.sha256(asked).hexdigest(), threading.get_ident()
    with _making:
        if key not in _kept:
            sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEP))
            _kept[key] = make(*pickle.loads(asked))
            while len(_kept) > MOST_KEPT:
                _kept.popitem(last=False)
        _kept.move_to_end(key)
        return _kept[key]
