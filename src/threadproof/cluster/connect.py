"""A cluster by its address: that of a dask scheduler, or `local:N` for N workers of our own, which end with us."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from multiprocessing import resource_tracker, util
from typing import Any

from threadproof.cluster.crew import Crew
from threadproof.core.errors import InputError

LOCAL = "local:"
HERE = "127.0.0.1"
CONNECT_S = 20.0
BACK_S = 3600
"""For a worker of our own to be there again after its death: dask gives up those that are not, for ever."""
SILENT_S = 30
"""A worker of our own that has not said anything for so long counts as dead: a beat comes every second or so."""


@contextmanager
def connected(address: str) -> Generator[Crew]:
    """Raises InputError."""
    try:
        import distributed  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        raise InputError("--cluster needs dask: pip install 'threadproof[cluster]'") from None
    with ExitStack() as open_things:
        place: Any = address
        if address.startswith(LOCAL):
            place = open_things.enter_context(_local(_number(address)))
        try:
            client: Any = distributed.Client(place, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError) as error:
            raise InputError(f"--cluster {address}: no dask scheduler answers there ({error})") from None
        open_things.callback(client.close)
        try:
            client.wait_for_workers(1, timeout=CONNECT_S)
        except TimeoutError:
            raise InputError(f"--cluster {address}: it has no workers") from None
        yield Crew(client)


def check_address(address: str) -> None:
    """What can be said before anybody connects. Raises InputError."""
    if address.startswith(LOCAL):
        _number(address)


def _number(address: str) -> int:
    text = address.removeprefix(LOCAL)
    if not text.isdecimal() or int(text) < 1:
        raise InputError(f"--cluster {address}: {LOCAL}N starts N workers, N at least 1")
    return int(text)


@contextmanager
def _local(workers: int) -> Generator[Any]:
    import dask
    import distributed  # pyright: ignore[reportMissingTypeStubs]

    settings = {
        "distributed.scheduler.worker-ttl": f"{SILENT_S} s",
        "distributed.scheduler.allowed-failures": 10,
        "distributed.deploy.lost-worker-timeout": f"{BACK_S} s",
        "distributed.admin.log-format": "%(message)s",
    }
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # a worker that dies is no news
    with dask.config.set(settings):  # pyright: ignore
        cluster: Any = None
        try:
            with _without_ctrl_c():
                cluster = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    memory_limit=0,
                    host=HERE,
                    dashboard_address=f"{HERE}:0",  # not dask's own port, which another cluster may have
                    silence_logs=logging.CRITICAL,
                )
            yield cluster
        except KeyboardInterrupt:  # the command then ends without Python's own end, which gives semaphores back
            if cluster is not None:
                cluster.close()
            util._run_finalizers(0)  # pyright: ignore
            raise
        finally:
            if cluster is not None:
                cluster.close()


@contextmanager
def _without_ctrl_c() -> Generator[None]:
    """Threads and processes that begin here never see Ctrl-C, which a terminal sends to all: who began them ends them.
    One that comes meanwhile is seen afterwards, also if a thread gets it that was there before."""
    resource_tracker.ensure_running()  # it would let Ctrl-C in again where it begins
    came: list[int] = []
    is_main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, lambda number, _frame: came.append(number)) if is_main else None
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if is_main:
            signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)
