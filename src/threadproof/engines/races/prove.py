"""The proof: write the threads out, collect their accesses, justify every pair.

Paper: the lockset idea is S. Savage et al., Eraser, TOCS 1997, made static as in V. Vojdani and V. Vene, Goblint
(Annales Univ. Sci. Budapest 2009). Differs: threads are told apart by calling context because their code is written
out, and locks named by registers protect by address.
Invariants: Safe only if every pair of accesses to shared memory was justified. Whatever is not resolved (a pointer, a
construct, recursion) gives Unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from threadproof.analysis.abstract_threads.accesses import ThreadAccess, Unresolved, records
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts, analyse_threads
from threadproof.analysis.lock_proofs.learning import learn
from threadproof.analysis.points_to import Root
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.result import Safe, Unknown
from threadproof.engines.races.claims import race_proof
from threadproof.engines.races.hunt import Suspects
from threadproof.engines.races.justify import Justified, Justifier, overlapping
from threadproof.engines.races.words import Words
from threadproof.engines.task import Task
from threadproof.ir.instr import Sync
from threadproof.ir.program import Program
from threadproof.passes.expand import Splitting, TooLarge, expand_threads
from threadproof.sync.facts import DETACHING, FACTS, Act

SHOWN = 3  # unjustified pairs named in the reason
MOST_OPEN = 100  # that are hunted for
POLL = 4096


@dataclass(slots=True)
class ProofTally:
    """What was found out about each object."""

    reasons: dict[Root, dict[Justified, None]] = field(default_factory=dict[Root, dict[Justified, None]])
    open: list[tuple[ThreadAccess, ThreadAccess]] = field(default_factory=list[tuple[ThreadAccess, ThreadAccess]])
    pairs: int = 0
    limit: str | None = None  # why not all pairs were looked at


@dataclass(frozen=True, slots=True)
class ProofAttempt:
    result: Safe | Unknown
    suspects: tuple[Suspects, ...] = ()  # lines of pairs that were not justified


def prove(task: Task, budget: Budget, observer: Observer) -> ProofAttempt:
    if _detaches_and_joins(task.program):
        return ProofAttempt(Unknown("threads are detached and joined: a join of a detached thread waits for nobody"))
    tried = ProofAttempt(Unknown("nothing was tried"))
    for splitting in Splitting:
        tried = _attempt(task, splitting, budget, observer)
        if isinstance(tried.result, Safe) or budget.exhausted() is not None:
            break
    return tried


def _detaches_and_joins(program: Program) -> bool:
    used = {i.op for i in program.instrs() if isinstance(i, Sync)}
    return not used.isdisjoint(DETACHING) and any(FACTS[op].act is Act.JOIN for op in used)


def _attempt(task: Task, splitting: Splitting, budget: Budget, observer: Observer) -> ProofAttempt:
    try:
        observer.progress("writing out the threads")
        plain = analyse_threads(expand_threads(task.program, splitting))
        tried = _compared(plain, budget, observer)
        enough = isinstance(tried.result, Safe) or budget.exhausted() is not None
        learned = plain if enough else learn(plain, budget)
        return tried if learned is plain else _compared(learned, budget, observer)
    except (TooLarge, Unresolved) as obstacle:
        return ProofAttempt(Unknown(str(obstacle)))


def _compared(facts: ThreadFacts, budget: Budget, observer: Observer) -> ProofAttempt:
    found = records(facts)
    tally = _judge(found, Justifier(facts), budget, observer)
    stats: dict[str, Any] = {"threads": len(facts.points), "accesses": len(found), "pairs": tally.pairs}
    if tally.open:
        suspects = dict.fromkeys(frozenset({first.loc, second.loc}) for first, second in tally.open)
        return ProofAttempt(Unknown(_unjustified(facts, tally), stats), tuple(suspects))
    if tally.limit is not None:
        return ProofAttempt(Unknown(tally.limit, stats))
    return ProofAttempt(Safe(race_proof(facts, found, tally.reasons), stats))


def _judge(found: list[ThreadAccess], justifier: Justifier, budget: Budget, observer: Observer) -> ProofTally:
    tally = ProofTally()
    for first, second in _pairs(found):
        tally.pairs += 1
        if tally.pairs % POLL == 0:
            observer.progress("comparing accesses", pairs=tally.pairs)
            tally.limit = budget.exhausted()
            if tally.limit is not None:
                break
        why = justifier.why(first, second)
        if why is None:
            tally.open.append((first, second))
            if len(tally.open) >= MOST_OPEN:
                break
        else:
            for mine, _ in overlapping(first, second):
                tally.reasons.setdefault(mine.root, {})[why] = None
    return tally


def _pairs(found: list[ThreadAccess]) -> Iterator[tuple[ThreadAccess, ThreadAccess]]:
    """Accesses that touch a common object, each pair once, an access with itself included."""
    by_root: dict[Root, list[int]] = {}
    for number, record in enumerate(found):
        for root in dict.fromkeys(place.root for place in record.places):
            by_root.setdefault(root, []).append(number)
    seen: set[tuple[int, int]] = set()
    for numbers in by_root.values():
        for index, first in enumerate(numbers):
            for second in numbers[index:]:
                if (first, second) not in seen:
                    seen.add((first, second))
                    yield found[first], found[second]


# --- in words --------------------------------------------------------------------------------------------------------


def _unjustified(facts: ThreadFacts, tally: ProofTally) -> str:
    words = Words(facts)
    told = [words.pair(first, second) for first, second in tally.open[:SHOWN]]
    return "not shown to be free of races: " + "; ".join(told)
