"""What processes tell each other: an engine the worker, the worker the process that was called."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection

from threadproof.core.errors import InputError, InternalError
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict


class ProofRefuted(InternalError):
    """A run contradicts a proof. `found` is what it violates, if it violates anything by itself."""

    def __init__(self, message: str, found: Answer | None) -> None:
        super().__init__(message)
        self.found = found


@dataclass(frozen=True, slots=True)
class Progress:
    what: str
    figures: dict[str, float]


@dataclass(frozen=True, slots=True)
class RefusedRequest:
    """The input or the options cannot be used."""

    why: str


@dataclass(frozen=True, slots=True)
class Contradicted:
    """A claim did not stand up to its check, or two claims contradict each other."""

    what: str
    where: str
    reproduce: tuple[str, ...] = ()
    found: Answer | None = None  # a violation that contradicts a proof


@dataclass(frozen=True, slots=True)
class Crashed:
    what: str
    where: str


Message = Progress | Answer | RefusedRequest | Contradicted | Crashed


class PipeObserver:
    """Passes progress on, a few times a second what is of one kind."""

    def __init__(self, pipe: Connection, who: str = "") -> None:
        self._pipe = pipe
        self._who = f"{who}: " if who else ""
        self._last: dict[str, float] = {}

    def progress(self, what: str, **figures: float) -> None:
        now = time.monotonic()
        if now - self._last.get(what, 0.0) >= 0.2:
            self._last[what] = now
            self._pipe.send(Progress(self._who + what, figures))


def tell(pipe: Connection, prop: Property, engine: str, answer: Callable[[], Answer]) -> None:
    """Everything that can go wrong becomes a message; whoever listens decides what to do with it."""
    pipe.send(_outcome(prop, engine, answer))


def _outcome(prop: Property, engine: str, answer: Callable[[], Answer]) -> Message:
    from threadproof.ir.layout import OutOfAddresses

    try:
        return answer()
    except MemoryError:
        return Answer(prop, Verdict.UNKNOWN, engine, reason="memory")
    except OutOfAddresses as limit:
        return Answer(prop, Verdict.UNKNOWN, engine, reason=f"unsupported: {limit}")
    except InputError as error:
        return RefusedRequest(str(error))
    except ProofRefuted as error:
        return Contradicted(str(error), traceback.format_exc(), found=error.found)
    except InternalError as error:
        return Contradicted(str(error), traceback.format_exc(), error.reproduce)
    except Exception as error:
        return Crashed(f"{type(error).__name__}: {error}", traceback.format_exc())
