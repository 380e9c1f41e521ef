"""The native search: what its block looks like, and its calls."""

from __future__ import annotations

import ctypes
from enum import IntEnum
from functools import lru_cache

from threadproof.codegen.kernel import search_kernel
from threadproof.codegen.machine.blocks import DetailBlock, i32, i64, u32, u64
from threadproof.codegen.runs.build import CompilerEffort, library
from threadproof.codegen.runs.crowd import CrowdBlock

_KERNEL = ("events.h", "junction.h", "races.h", "bound.h", "run.h", "crew.h", "search.h")

MAX_JOBS = 64
WAITS = 16  # beside the kind of an operation: KIND_WAITS of the kernel


class DporReduction(IntEnum):
    NONE = 0
    SLEEP = 1
    SOURCE = 2
    OPTIMAL = 3


class Answered(IntEnum):
    """The order of the kernel's `D_...`."""

    DONE = 0
    TICK = 1
    FOUND = 2
    RACE = 3
    DEADLOCK = 4
    CHOICE = 5
    STOPPED = 6
    THREADS = 7
    MEMORY = 8


class CutBlock(ctypes.Structure):
    _fields_ = (("outcome", i32), ("kind", i32), ("text", i32), ("name", i32), ("pc", u32))


class DporBlock(ctypes.Structure):
    """The fields of the kernel's `Dpor` up to its stacks, in the same order: one worker."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("step", "word", "initial", "op_kind", "loses", "leaks")),
        *((name, u32) for name in ("state_size", "threads", "threads_at", "thread_size", "pc_at")),
        ("join", i32),
        *((name, u32) for name in ("reduction", "max_depth", "watch_races", "watch_deadlocks")),
        *((name, u32) for name in ("error_kinds", "undefined_kinds", "bounded", "preemptions", "gives_after")),
        ("number_at", u32),
        ("crowd", CrowdBlock),
        ("slice", u64),
        *(
            (name, u64)
            for name in ("executions", "blocked", "redundant", "cut_runs", "diverged", "rogues", "events_made")
        ),
        ("open_ends", u64),
        ("explored", ctypes.c_double),
        *((name, u32) for name in ("depth", "answer", "found_race_with")),
        ("detail", DetailBlock),
        ("detail_outcome", i32),
        ("cuts", u32),
        ("cut", CutBlock * 8),
        ("moves", ctypes.POINTER(i32)),
        ("choices", ctypes.POINTER(i64)),
        ("move_top", u32),
        ("choice_top", u32),
        ("ends", ctypes.POINTER(u64)),
        ("end_count", u64),
        ("end_room", u64),
    )


@lru_cache(maxsize=1)
def search_library() -> ctypes.CDLL:
    found = library(search_kernel("threadproof.engines.dpor", *_KERNEL), CompilerEffort.FULL)
    found.td_size.restype = u64
    found.td_begin.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
    found.td_end.argtypes = (ctypes.c_void_p,)
    found.td_end.restype = None
    found.td_values.argtypes = (ctypes.c_void_p, ctypes.POINTER(i64), u32)
    found.td_values.restype = None
    found.td_search.argtypes = found.td_between.argtypes = (ctypes.c_void_p,)
    found.td_between.restype = None
    for tell in (found.td_moves, found.td_race_moves):
        tell.argtypes = (ctypes.c_void_p, ctypes.POINTER(i32), ctypes.POINTER(i64))
        tell.restype = u32
    return found
