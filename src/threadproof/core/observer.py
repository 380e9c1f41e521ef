"""Progress goes through an Observer, so algorithms stay bare."""

from __future__ import annotations

from typing import Protocol


class Observer(Protocol):
    def progress(self, what: str, **figures: float) -> None:
        """Called now and then by long work; must be cheap."""
        ...


class Silent:
    """The observer of tests and pipes."""

    def progress(self, what: str, **figures: float) -> None:
        pass
