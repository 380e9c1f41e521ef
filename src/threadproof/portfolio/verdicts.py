"""Verdicts of earlier runs, by content: everything that can change one is in the key.

That is the program in normal form with every name and place in its source, the property, the memory model, the engine
and its options, the seed, our own files, and what they call. Limits of time and memory are not: they decide whether
there is a verdict, not which. Only `true` and `false` are kept, and nothing that an engine failed or was wrong on the
way to. A `false` is replayed again before it is said. A `true` comes with its proof, which was checked when it was
found.
"""

from __future__ import annotations

import hashlib
import json
import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

from threadproof.core import schedule as schedules
from threadproof.core.budget import Budget
from threadproof.core.result import Answer, Result, Safe, Unsafe, Verdict
from threadproof.engines.task import Task
from threadproof.evidence.proofs.files import proof_from_json, proof_to_json
from threadproof.ir.digest import digest
from threadproof.portfolio.judge import judge
from threadproof.toolchain.fingerprint import everything
from threadproof.toolchain.store import ContentStore

_STORE = ContentStore("verdicts", ".json", 0.2)
_FORMAT = 1


class Verdicts:
    """What is known of one question."""

    def __init__(self, task: Task, engine: str) -> None:
        """`engine`: who is asked, perhaps `auto`."""
        self._task = task
        options = sorted((name, str(value)) for name, value in task.options.items())
        asked = (task.property.value, task.memory_model.value, engine, options, task.seed)
        words = (_FORMAT, everything(), digest(task.program), asked)
        self._key = hashlib.sha256(repr(words).encode()).hexdigest()

    def recall(self, budget: Budget) -> Answer | None:
        known = _STORE.read(self._key)
        if known is None:
            return None
        try:
            data = json.loads(known)
            answer = self._answer(data, _result(data), budget)
            found = f"by {answer.engine} in {data['seconds']:.1f} s on {data['when']}"
        except Exception:  # whatever is wrong with it, that it cannot be read or does not replay: it is asked anew
            _STORE.drop(self._key)
            return None
        if answer.verdict is Verdict.TRUE:
            return replace(answer, cached=f"proved {found}; the proof was checked then, not again")
        return replace(answer, cached=f"found {found}; the interleaving was replayed again now")

    def _answer(self, data: dict[str, Any], result: Result, budget: Budget) -> Answer:
        task, engine = self._task, str(data["engine"])
        if isinstance(result, Safe):
            return Answer(task.property, Verdict.TRUE, engine, proof=result.proof, stats=result.stats)
        return judge(task.program, task.property, engine, result, budget, task.memory_model, task.seed)

    def keep(self, answer: Answer, seconds: float) -> None:
        """If it is one to be kept. Failing costs time only."""
        if answer.verdict is Verdict.UNKNOWN or answer.notes:
            return
        when = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
        data: dict[str, Any] = {"engine": answer.engine, "seconds": seconds, "when": f"{when} UTC"}
        if answer.verdict is Verdict.TRUE:
            assert answer.proof is not None
            data["proof"] = proof_to_json(answer.proof)
        else:
            assert answer.trace is not None
            data["schedule"] = schedules.to_json(answer.trace.schedule)
        with suppress(OSError, TypeError, ValueError, RecursionError):
            _STORE.put(self._key, json.dumps(data | {"stats": answer.stats}).encode())


def _result(data: dict[str, Any]) -> Result:
    stats = dict(data["stats"])
    if "proof" in data:
        return Safe(proof_from_json(data["proof"]), stats)
    return Unsafe(schedules.from_json(data["schedule"]), stats)
