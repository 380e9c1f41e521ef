"""Pieces of work, done by the workers of a cluster; each counts once, whatever happens to workers.

A piece is a function of its arguments alone, so that it does not matter who does it, or how often. Dask gives the work
of a worker that died to another one. Beyond that: a piece that is late is given to a second worker, the first answer
counts and later ones are not looked at; a piece whose workers die again and again is done here, or told as lost; so is
everything once there are no workers any more.
"""

from __future__ import annotations

import queue
import time
from asyncio import CancelledError
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from threadproof.core.errors import InputError, ThreadproofError
from threadproof.toolchain.fingerprint import own_files

TICK_S = 0.5
PATIENCE_S = 30.0
LATE = 10.0
"""A piece is late if it has taken longer than PATIENCE_S, and so many times as long as any other."""
MOST_TRIES = 5
DESERTED_S = 60.0
"""Without any worker: workers that died may not come back."""
FETCH_S = 60.0
"""For a result to come from the worker that has it, which may be one that hangs."""


class PieceOrder(Enum):
    AS_ASKED = "as asked"
    AS_DONE = "as done"


@dataclass(frozen=True, slots=True)
class LostPiece:
    """Nobody could do it."""

    why: str


class OtherCode(ThreadproofError):
    """A worker has another Threadproof."""


@dataclass(slots=True)
class _Piece:
    number: int
    arguments: tuple[Any, ...]
    futures: list[Any] = field(default_factory=list[Any])
    asked: float = 0.0  # the last of them
    tries: int = 0


class Crew:
    """The workers, as far as a client of their scheduler knows them."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._hands = (0, -1e9)
        self._seen = time.monotonic()

    def hands(self) -> int:
        """How many pieces are done at a time: threads of all workers. Asked for now and then, they come and go."""
        count, asked = self._hands
        if time.monotonic() - asked > 5.0:
            count = sum(self._client.nthreads().values())
            self._hands = count, time.monotonic()
        if count:
            self._seen = self._hands[1]
        return max(1, count)

    def deserted(self) -> bool:
        """Whether nobody has been there for a while, as far as `hands` saw."""
        return time.monotonic() - self._seen > DESERTED_S

    def share(self, value: Any, name: str) -> Any:
        """A value that many pieces have among their arguments: it is sent once. `name` is that of its content."""
        return self._client.submit(_itself, value, key=f"threadproof-{name}", pure=True)

    def results(
        self,
        function: Callable[..., Any],
        pieces: Iterable[tuple[Any, ...]],
        order: PieceOrder = PieceOrder.AS_ASKED,
        here: Callable[..., Any] | None = None,
        patience_s: float = PATIENCE_S,
    ) -> Generator[tuple[int, Any], None, None]:
        """`function(*arguments)` of each piece, with its number. Pieces are asked for when their time comes. `here`
        does one that no worker can do; without it that comes back as a LostPiece. Errors of our own are raised."""
        work = _Work(self, self._client, function, here, patience_s)
        try:
            yield from work.run(enumerate(pieces), order)
        finally:
            work.cancel()


class _Work:
    def __init__(
        self,
        crew: Crew,
        client: Any,
        function: Callable[..., Any],
        here: Callable[..., Any] | None,
        patience_s: float,
    ) -> None:
        self._crew, self._client = crew, client
        self._function, self._here = function, here
        self._patience_s = patience_s
        self._longest = 0.0
        self._looked = time.monotonic()
        self._heard: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        self._open: dict[int, _Piece] = {}

    def run(self, upcoming: enumerate[tuple[Any, ...]], order: PieceOrder) -> Generator[tuple[int, Any], None, None]:
        done: dict[int, Any] = {}
        following = 0
        while True:
            self._begin(upcoming, 2 * self._crew.hands() - len(done))
            if not self._open:
                return
            done.update(self._hear())
            if order is PieceOrder.AS_DONE:
                yield from done.items()
                done = {}
            while following in done:
                yield following, done.pop(following)
                following += 1
                self._begin(upcoming, 2 * self._crew.hands() - len(done))

    def cancel(self) -> None:
        for piece in self._open.values():
            for future in piece.futures:
                future.cancel()
        self._open = {}

    def _begin(self, upcoming: enumerate[tuple[Any, ...]], room: int) -> None:
        while len(self._open) < max(1, room):
            following = next(upcoming, None)
            if following is None:
                return
            piece = _Piece(*following)
            self._open[piece.number] = piece
            self._submit(piece)

    def _submit(self, piece: _Piece, elsewhere: list[str] | None = None) -> None:
        loosely = {} if not elsewhere else {"workers": elsewhere, "allow_other_workers": True}
        given = (own_files(), self._function, *piece.arguments)
        future = self._client.submit(_perform, *given, pure=False, retries=0, **loosely)
        piece.futures.append(future)
        piece.asked = time.monotonic()

        def ended(one: Any) -> None:
            self._heard.put((piece.number, one))

        future.add_done_callback(ended)

    def _hear(self) -> dict[int, Any]:
        """What was done since; nothing, if nothing was for a moment."""
        try:
            number, future = self._heard.get(timeout=TICK_S)
        except queue.Empty:
            return self._look_after()
        piece = self._open.get(number)
        if piece is None or future not in piece.futures:
            return {}  # answered by another worker before
        try:
            result = future.result(timeout=FETCH_S)
        except ThreadproofError:
            raise
        except ImportError as error:
            raise InputError(f"the cluster's workers cannot do it: {error}") from None
        except (Exception, CancelledError) as error:  # a worker was killed, has no memory, no disk: another will do it
            piece.futures.remove(future)
            return self._again(piece, error)
        self._longest = max(self._longest, time.monotonic() - piece.asked)
        return {number: self._close(piece, result)}

    def _again(self, piece: _Piece, error: BaseException) -> dict[int, Any]:
        piece.tries += 1
        connected = self._client.status == "running"
        if connected and piece.tries < MOST_TRIES:
            if not piece.futures:
                self._submit(piece)
            return {}
        if self._here is not None:
            return {piece.number: self._close(piece, self._here(*piece.arguments))}
        if not connected:
            raise InputError("the cluster is lost: its scheduler does not answer any more")
        return {piece.number: self._close(piece, LostPiece(f"{piece.tries} workers failed: {error}"))}

    def _close(self, piece: _Piece, result: Any) -> Any:
        del self._open[piece.number]
        for future in piece.futures:
            future.cancel()
        return result

    def _look_after(self) -> dict[int, Any]:
        """Who is late gets company."""
        now = time.monotonic()
        if now - self._looked < TICK_S:
            return {}
        self._looked = now
        if self._crew.deserted():
            return self._alone()
        found: dict[int, Any] = {}
        patience = max(self._patience_s, LATE * self._longest)
        for piece in list(self._open.values()):
            if now - piece.asked > patience * 2**piece.tries:  # if all are long, few are done twice
                piece.tries += 1
                if piece.tries >= MOST_TRIES and self._here is not None:
                    found[piece.number] = self._close(piece, self._here(*piece.arguments))
                else:
                    self._submit(piece, self._others(piece))
        return found

    def _alone(self) -> dict[int, Any]:
        if self._here is None:
            raise InputError("the cluster has no workers any more")
        return {one.number: self._close(one, self._here(*one.arguments)) for one in list(self._open.values())}

    def _others(self, piece: _Piece) -> list[str]:
        """Workers that do not have the piece now."""
        keys = {future.key for future in piece.futures}
        at_work: dict[str, Any] = self._client.processing()
        return [worker for worker, has in at_work.items() if not keys & set(has)]


def _itself(value: Any) -> Any:
    return value


def _perform(code: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """At the worker."""
    if own_files() != code:
        raise OtherCode("a worker of the cluster has another Threadproof: results might differ")
    return function(*arguments)
