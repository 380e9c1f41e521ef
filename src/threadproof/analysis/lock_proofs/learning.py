"""Analyses in rounds: what one round finds out about all threads, the next may use."""

from __future__ import annotations

from threadproof.analysis.abstract_threads.accesses import records
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts, analyse_with
from threadproof.analysis.abstract_threads.thread_state import Knowledge, Watched
from threadproof.analysis.lock_proofs.flags import find_flags
from threadproof.analysis.lock_proofs.invariants import with_invariants
from threadproof.analysis.lock_proofs.limits import candidate_limits, known_limits
from threadproof.analysis.lock_proofs.regions import with_regions
from threadproof.analysis.lock_proofs.stable_loads import stable_loads
from threadproof.analysis.lock_proofs.tickets import candidate_counters, kept_counters
from threadproof.analysis.lock_proofs.word_locks import candidate_words, kept_words
from threadproof.analysis.lock_proofs.writes import Writes
from threadproof.analysis.points_to import Place
from threadproof.core.budget import Budget


def learn(plain: ThreadFacts, budget: Budget) -> ThreadFacts:
    """After a plain analysis: with lists of their own, with locks made by hand and values under locks, then with flags,
    counters and loads that never change."""
    plain = with_regions(plain)
    facts, words = _with_words(plain)
    facts, invariants = with_invariants(facts, words, budget)
    writes = Writes(facts)
    flags, counters = find_flags(writes), candidate_counters(writes)
    stable = stable_loads(facts, records(facts))
    limits = _limits(plain, writes) if counters and stable else {}
    while flags or counters or stable:
        watched = {**words, **flags, **counters}
        facts = analyse_with(plain.tree, plain.memory, Knowledge(watched, stable, invariants, limits))
        kept = kept_counters(facts, counters)
        if kept == counters:
            break
        counters = kept
    return facts


def _limits(plain: ThreadFacts, writes: Writes) -> dict[str, int]:
    candidates = candidate_limits(writes)
    if not candidates:
        return {}
    return known_limits(analyse_with(plain.tree, plain.memory, Knowledge(candidates)), candidates)


def _with_words(facts: ThreadFacts) -> tuple[ThreadFacts, dict[Place, Watched]]:
    plain = facts
    words = candidate_words(Writes(facts))
    while words:
        facts = analyse_with(plain.tree, plain.memory, Knowledge(words))
        kept = kept_words(facts, words)
        if kept == words:
            return facts, words
        words = kept
    return plain, {}
