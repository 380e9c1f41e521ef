"""Questions in a process of their own, killed when its time is over: solvers look at the clock when it suits them."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import Any


def answer_of(child: Callable[..., None], args: tuple[Any, ...], seconds: float | None) -> Any:
    """What it sends through the connection that is its first argument; None: nothing in time."""
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=child, args=(there, *args))
    process.start()
    there.close()
    try:
        return here.recv() if here.poll(seconds) else None
    except EOFError:  # it ended without an answer
        return None
    finally:
        process.kill()
        process.join()
        here.close()
