"""Who searches: the reference for a moment, then the native machine; the reference again for what that cannot do."""

from __future__ import annotations

from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.property import Property
from threadproof.core.result import Result
from threadproof.engines.explicit import native, reference
from threadproof.engines.task import Task
from threadproof.semantics.leaks import allocates

PATIENCE_S = 0.15
"""What the reference is given first: about what compiling a small program takes."""


def check(task: Task, budget: Budget, observer: Observer, patience: float = PATIENCE_S) -> Result:
    """`patience`: seconds for the reference; none for programs that are known to have many states."""
    first = reference.Search(task, budget, observer).run(Budget(patience)) if patience else None
    if first is not None:
        return first
    found = native.check(task, budget, observer) if has_native(task) else None
    return reference.check(task, budget, observer) if found is None else found


def has_native(task: Task) -> bool:
    """Blocks that are left when the program ends are looked for by the reference only."""
    return task.property is not Property.VALID_MEMCLEANUP or not allocates(task.program)
