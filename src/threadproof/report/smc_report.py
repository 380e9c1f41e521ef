"""Estimates as JSON, text and CSV."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from threadproof.core.estimate import Estimate


def to_json(made: Estimate, inputs: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "query": made.query,
        "method": made.method,
        "estimate": _finite(made.estimate),
        "low": _finite(made.low),
        "high": _finite(made.high),
        "confidence": made.confidence,
        "runs": made.runs,
        "satisfying": made.satisfying,
        "undecided": made.undecided,
        "steps": made.steps,
        "wall_s": round(made.wall_s, 6),
        "steps_per_s": round(made.steps_per_s, 1),
        "sampler": made.sampler,
        "endings": made.endings,
        "assumptions": list(made.assumptions),
    }
    if made.answer is not None:
        found["answer"] = made.answer
    if made.reason:
        found["reason"] = made.reason
    if made.notes:
        found["notes"] = list(made.notes)
    return {**found, **made.details, "inputs": inputs}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def to_text(made: Estimate) -> str:
    percent = f"{100 * made.confidence:.{6 if made.confidence < 0.999 else 13}g} %"
    if made.method == "distinct states":
        first = f"{made.estimate:.0f} distinct states in {made.runs:,} runs"
    elif not made.known:
        return "\n".join([f"unknown: {made.reason}", *(f"note: {note}" for note in made.notes)]) + "\n"
    elif not math.isfinite(made.low):
        first = f"{_figure(made.estimate)}  (an interval needs at least 2 runs)"
    else:
        low, high = _figure(made.low, ROUND_FLOOR), _figure(made.high, ROUND_CEILING)
        first = f"{_figure(made.estimate)}  [{low}, {high}] at {percent}"
    lines = [first]
    if made.answer is not None:
        lines.append(f"answer: {'yes' if made.answer else 'no'}")
    counts = f"{made.runs:,} runs"
    if not any(word in made.method for word in ("distinct", "mean", "splitting")):
        counts += f", {made.satisfying:,} satisfying"
    if made.undecided:
        counts += f", {made.undecided:,} undecided"
    lines.append(f"{counts}, {made.steps:,} steps, {made.wall_s:.2f} s ({made.steps_per_s:.3g} steps/s)")
    machine, on, device = made.sampler.partition(" on ")
    lines.append(f"method: {made.method}, {machine} machine{on}{device}")
    if made.assumptions:
        lines.append(f"assumes: {'; '.join(made.assumptions)}")
    for note in made.notes:
        lines.append(f"note: {note}")
    if made.undecided:
        lines.append("note: undecided runs count as unsatisfying in the lower and as satisfying in the upper limit")
    if made.reason:
        lines.append(f"stopped early: {made.reason}")
    return "\n".join(lines) + "\n"


def _figure(value: float, rounding: str = ROUND_HALF_EVEN) -> str:
    """Five digits: of a lower bound not more than it is, of an upper one not less."""
    if not math.isfinite(value):
        return str(value)
    return f"{float(Context(prec=5, rounding=rounding).create_decimal(repr(value))):.5g}"


def to_csv(made: Estimate) -> str:
    """The values of an Estimate query (one per run), the estimates of splitting, else the running interval."""
    if len(made.values) and ("mean" in made.method or "splitting" in made.method):
        rows = [f"{number},{value!r}" for number, value in enumerate(made.values.tolist())]
        return "\n".join(["run,value", *rows]) + "\n"
    rows = [f"{p.runs},{p.estimate!r},{p.low!r},{p.high!r}" for p in made.convergence]
    return "\n".join(["runs,estimate,low,high", *rows]) + "\n"
