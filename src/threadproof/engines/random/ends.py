"""Which runs say that nothing is violated: those that came to a real end. All others might violate something later."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from threadproof.codegen.runs.outcomes import OutcomeKind

REAL_ENDS = (OutcomeKind.FINISHED, OutcomeKind.FAILED, OutcomeKind.DEADLOCK)
_OTHERWISE = {
    OutcomeKind.UNDEFINED: "met undefined behaviour",
    OutcomeKind.ASSUMPTION: "broke an assumption",
    OutcomeKind.STUCK: "got stuck in an atomic block",
    OutcomeKind.UNSUPPORTED: "met something unsupported",
    OutcomeKind.CHOOSE: "met something unsupported",
    OutcomeKind.NOT_NATIVE: "met something that is not made natively",
    OutcomeKind.CAPACITY: "lacked room",
    OutcomeKind.STEPS: "were cut",
    OutcomeKind.INTERRUPTED: "were cut",
}


def ended(kinds: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Of each run, whether it came to a real end."""
    return np.isin(kinds, REAL_ENDS)


def without_end(endings: Mapping[OutcomeKind, int]) -> str:
    """`3,000 met something unsupported, 12 were cut`; nothing if all runs came to an end."""
    found: dict[str, int] = {}
    for kind, runs in endings.items():
        if runs and kind in _OTHERWISE:
            found[_OTHERWISE[kind]] = found.get(_OTHERWISE[kind], 0) + runs
    return ", ".join(f"{runs:,} {what}" for what, runs in found.items())
