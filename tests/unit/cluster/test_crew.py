"""What happens to workers changes no result: with a client of a cluster that does what the test says."""

from __future__ import annotations

import operator
import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from threadproof.cluster import connect
from threadproof.cluster import crew as module
from threadproof.cluster.connect import connected
from threadproof.cluster.crew import Crew, LostPiece, OtherCode, PieceOrder
from threadproof.core.errors import InputError

HANGS = object()


class Future:
    def __init__(self, key: int, outcome: Callable[[], Any] | object) -> None:
        self.key, self._outcome = key, outcome
        self._told: list[Callable[[Future], None]] = []
        self.cancelled = False

    def add_done_callback(self, told: Callable[[Future], None]) -> None:
        self._told.append(told)
        if self._outcome is not HANGS:
            told(self)

    def answers_now(self, outcome: Callable[[], Any]) -> None:
        self._outcome = outcome
        for one in self._told:
            one(self)

    def result(self, timeout: float) -> Any:
        assert timeout > 0
        assert callable(self._outcome)
        return self._outcome()

    def cancel(self) -> None:
        self.cancelled = True


class Client:
    """Asks `decide` what becomes of each piece: of the n-th time that it is given to a worker."""

    status = "running"

    def __init__(self, decide: Callable[[tuple[Any, ...], int], Any] = lambda _piece, _time: None) -> None:
        self._decide = decide
        self.futures: list[Future] = []
        self.given: list[tuple[Any, ...]] = []
        self.places: list[Any] = []

    def nthreads(self) -> dict[str, int]:
        return {"one": 1, "two": 1}

    def processing(self) -> dict[str, list[int]]:
        return {"one": [future.key for future in self.futures], "two": []}

    def submit(self, function: Any, *arguments: Any, workers: Any = None, **_options: Any) -> Future:
        piece = arguments[2:]
        decided = self._decide(piece, self.given.count(piece))
        self.given.append(piece)
        self.places.append(workers)
        if isinstance(decided, Exception):
            error = decided

            def fails() -> Any:
                raise error

            future = Future(len(self.futures), fails)
        elif decided is HANGS:
            future = Future(len(self.futures), HANGS)
        else:
            future = Future(len(self.futures), lambda: function(*arguments))
        self.futures.append(future)
        return future


PIECES = [(n, 10) for n in range(12)]
RESULTS = [(n, 10 * n) for n in range(12)]


def test_in_the_order_asked_or_as_done() -> None:
    assert list(Crew(Client()).results(operator.mul, PIECES)) == RESULTS
    assert sorted(Crew(Client()).results(operator.mul, PIECES, PieceOrder.AS_DONE)) == RESULTS
    assert list(Crew(Client()).results(operator.mul, [])) == []


def test_pieces_are_asked_for_when_their_time_comes() -> None:
    client = Client()
    stream = Crew(client).results(operator.mul, ((n, 1) for n in range(1000)))
    assert next(stream) == (0, 0)
    assert len(client.given) <= 8
    stream.close()


def test_a_worker_that_dies_or_has_no_memory() -> None:
    def decide(piece: tuple[Any, ...], time: int) -> Any:
        return (KeyError("killed") if piece[0] % 2 else MemoryError()) if piece[0] in (3, 4) and time < 2 else None

    client = Client(decide)
    assert list(Crew(client).results(operator.mul, PIECES)) == RESULTS
    assert client.given.count((3, 10)) == 3


def test_workers_that_always_die(monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(piece: tuple[Any, ...], _time: int) -> Any:
        return RuntimeError("killed") if piece[0] == 3 else None

    assert list(Crew(Client(decide)).results(operator.mul, PIECES, here=operator.mul)) == RESULTS
    told = dict(Crew(Client(decide)).results(operator.mul, PIECES))
    assert told[3] == LostPiece(f"{module.MOST_TRIES} workers failed: killed")
    assert [told[n] for n in range(12) if n != 3] == [10 * n for n in range(12) if n != 3]


def test_a_worker_that_hangs_and_answers_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TICK_S", 0.01)
    monkeypatch.setattr(module, "LATE", 0.0)
    client = Client(lambda piece, time: HANGS if piece[0] in (0, 11) and time == 0 else None)
    found: list[tuple[int, Any]] = []
    for one in Crew(client).results(operator.mul, PIECES, patience_s=0.02):
        found.append(one)
        for future in client.futures:
            if future.cancelled:  # it had company, and answers now, something else at that
                future.answers_now(lambda: "too late")
    assert found == RESULTS
    again = [place for piece, place in zip(client.given, client.places, strict=True) if piece[0] in (0, 11) and place]
    assert again == [["two"], ["two"]]


def test_errors_of_our_own_are_raised_at_once() -> None:
    client = Client(lambda _piece, _time: InputError("no GPU is here"))
    with pytest.raises(InputError, match="no GPU"):
        list(Crew(client).results(operator.mul, PIECES))
    assert all(future.cancelled for future in client.futures[1:])
    missing = ModuleNotFoundError("No module named 'threadproof'")
    with pytest.raises(InputError, match="cannot do it: No module named 'threadproof'"):
        list(Crew(Client(lambda _piece, _time: missing)).results(operator.mul, PIECES))


def test_the_cluster_is_lost() -> None:
    client = Client(lambda piece, _time: OSError("closed") if piece[0] > 3 else None)
    client.status = "closed"
    assert list(Crew(client).results(operator.mul, PIECES, here=operator.mul)) == RESULTS
    with pytest.raises(InputError, match="the cluster is lost"):
        list(Crew(client).results(operator.mul, PIECES))


def test_nobody_is_there_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TICK_S", 0.01)
    monkeypatch.setattr(module, "DESERTED_S", 0.05)
    client = Client(lambda piece, _time: HANGS if piece[0] > 3 else None)
    monkeypatch.setattr(client, "nthreads", dict)
    assert list(Crew(client).results(operator.mul, PIECES, here=operator.mul)) == RESULTS
    with pytest.raises(InputError, match="no workers any more"):
        list(Crew(client).results(operator.mul, PIECES))


def test_workers_with_other_code_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter(("ours", "theirs"))
    monkeypatch.setattr(module, "own_files", lambda: next(codes))
    with pytest.raises(OtherCode, match="another Threadproof"):
        list(Crew(Client()).results(operator.mul, PIECES[:1]))


@pytest.mark.parametrize("address", ["local:", "local:0", "local:x"])
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(InputError, match="local:N starts N workers"), connected(address):
        pass


@pytest.fixture
def heeding_ctrl_c() -> Iterator[None]:
    """Whoever started the tests may have it ignored, as shells do for what runs in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeding_ctrl_c")
def test_ctrl_c_while_workers_of_our_own_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes when all of them are there, and they are ended."""
    distributed = pytest.importorskip("distributed")
    closed: list[int] = []

    class Beginning:
        def __init__(self, **_options: Any) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            self.begun = True

        def close(self) -> None:
            closed.append(self.begun)

    monkeypatch.setattr(distributed, "LocalCluster", Beginning)
    monkeypatch.setattr(connect.util, "_run_finalizers", closed.append)
    with pytest.raises(KeyboardInterrupt), connected("local:1"):
        pass
    assert closed == [True, 0, True]
