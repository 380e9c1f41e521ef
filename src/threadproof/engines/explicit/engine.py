"""Who searches: the reference for a moment, then the native machine; the reference again for what that cannot do."""

from __future__ import annotations

from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.result import Result
from threadproof.engines.explicit import reference
from threadproof.engines.task import Task

PATIENCE_S = 0.05
"""What the reference is given first. Less than compiling a small program takes: whoever asks several engines has looked
at the program in this way before (`portfolio/glance`)."""


def check(task: Task, budget: Budget, observer: Observer, patience: float = PATIENCE_S) -> Result:
    """`patience`: seconds for the reference; none for programs that are known to have many states."""
    first = reference.ReferenceSearch(task, budget, observer).run(Budget(patience)) if patience else None
    if first is not None:
        return first
    from threadproof.engines.explicit import native  # loads code generation and numpy

    found = native.check(task, budget, observer)
    return reference.check(task, budget, observer) if found is None else found
