"""NVIDIA's driver by way of its C library: the few calls that runs on a GPU need, each with its error as a sentence."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from threadproof.core.errors import ThreadproofError

LIBRARY = "libcuda.so.1"
LIBRARY_VARIABLE = "THREADPROOF_LIBCUDA"
OLDEST_DRIVER = 9000
"""CUDA 9.0: the first that knows code for processors of OLDEST_GPU, and the tables of jumps in it."""
OLDEST_GPU = (7, 0)
_MULTIPROCESSORS, _MAJOR, _MINOR, _RESIDENT_THREADS = 16, 75, 76, 39
_LOCAL_BYTES, _SHARED_SHARE = 3, 9  # attributes of a function: memory of its own for each thread, part of the cache
_ERROR_LOG, _ERROR_LOG_BYTES, _MAX_REGISTERS = 5, 6, 0  # options of loading
_NO_DEVICE, _OUT_OF_MEMORY, _OLD_PTX = 100, 2, 222
_LOG_BYTES = 4096

_pointer, _size, _int, _uint = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_uint
_address = ctypes.c_uint64  # of the GPU's memory


class NoGpu(ThreadproofError):
    """The GPU cannot be used; the text is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class GpuCode:
    """A loaded kernel."""

    function: Any
    module: Any
    local_bytes: int  # a thread's own memory


class Gpu:
    """The first GPU of this machine. Raises NoGpu if there is none that can be used."""

    def __init__(self) -> None:
        self._cuda = _library()
        self._start()
        version = _int()
        self._call("cuDriverGetVersion", ctypes.byref(version))
        if version.value < OLDEST_DRIVER:
            raise NoGpu(f"the NVIDIA driver is too old: it knows CUDA {_version(version.value)}, needed is 9.0")
        device = _int()
        self._call("cuDeviceGet", ctypes.byref(device), 0)
        self._device = device.value
        name = ctypes.create_string_buffer(256)
        self._call("cuDeviceGetName", name, 256, self._device)
        self.name = name.value.decode(errors="replace")
        capability = (self._attribute(_MAJOR), self._attribute(_MINOR))
        if capability < OLDEST_GPU:
            raise NoGpu(f"the GPU {self.name} is too old: compute capability {capability[0]}.{capability[1]}, not 7.0")
        self.multiprocessors = self._attribute(_MULTIPROCESSORS)
        self.resident_threads = self._attribute(_RESIDENT_THREADS)  # of a multiprocessor
        self._context = _pointer()
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), self._device)
        self.enter()

    def enter(self) -> None:
        """To be called by every thread that uses the GPU; the first has done so."""
        self._call("cuCtxSetCurrent", self._context)

    def _start(self) -> None:
        failed = self._cuda.cuInit(0)
        count = _int()
        if not failed:
            self._call("cuDeviceGetCount", ctypes.byref(count))
        if failed == _NO_DEVICE or (not failed and not count.value):
            raise NoGpu("no NVIDIA GPU is here")
        if failed:
            raise NoGpu(f"the NVIDIA driver does not start: {self._said(failed)}")

    # --- memory --------------------------------------------------------------------------------------------------

    def free_bytes(self) -> int:
        free, total = _size(), _size()
        self._call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value

    def allocate(self, size: int) -> int:
        """Never more than is free."""
        free = self.free_bytes()
        if size > free:
            raise NoGpu(f"the GPU has too little memory: {_mib(free)} are free, {_mib(size)} are needed")
        at = _address()
        self._call("cuMemAlloc_v2", ctypes.byref(at), max(size, 8))
        return at.value

    def release(self, at: int) -> None:
        self._call("cuMemFree_v2", at)

    def put(self, at: int, values: NDArray[Any]) -> None:
        self._call("cuMemcpyHtoD_v2", at, values.ctypes.data, values.nbytes)

    def get(self, values: NDArray[Any], at: int) -> None:
        self._call("cuMemcpyDtoH_v2", values.ctypes.data, at, values.nbytes)

    def fill(self, at: int, value: int, size: int) -> None:
        self._call("cuMemsetD8_v2", at, value, size)

    # --- code ----------------------------------------------------------------------------------------------------

    def load(self, code: bytes, kernel: str, registers: int) -> GpuCode:
        """The driver compiles the text for its GPU; a thread gets at most so many registers."""
        log = ctypes.create_string_buffer(_LOG_BYTES)
        options = (_int * 3)(_ERROR_LOG, _ERROR_LOG_BYTES, _MAX_REGISTERS)
        values = (_pointer * 3)(ctypes.addressof(log), _LOG_BYTES, registers)
        module, function = _pointer(), _pointer()
        failed = self._cuda.cuModuleLoadDataEx(ctypes.byref(module), code + b"\0", 3, options, values)
        if failed == _OLD_PTX:
            raise NoGpu("the NVIDIA driver is too old for the machine's code")
        if failed:
            said = log.value.decode(errors="replace").strip() or self._said(failed)
            raise NoGpu(f"the NVIDIA driver does not take the machine's code: {said.splitlines()[0]}")
        self._call("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
        local = _int()
        self._call("cuFuncGetAttribute", ctypes.byref(local), _LOCAL_BYTES, function)
        self._call("cuFuncSetAttribute", function, _SHARED_SHARE, 0)  # all of the first cache for local memory
        return GpuCode(function, module, local.value)

    def unload(self, code: GpuCode) -> None:
        self._call("cuModuleUnload", code.module)

    def constants(self, code: GpuCode, name: str, count: int) -> list[int]:
        """The 64-bit numbers of a table in the code."""
        at, size = _address(), _size()
        self._call("cuModuleGetGlobal_v2", ctypes.byref(at), ctypes.byref(size), code.module, name.encode())
        found = np.zeros(count, np.uint64)
        self.get(found, at.value)
        return [int(number) for number in found]

    def blocks(self, code: GpuCode, threads: int) -> int:
        """How many blocks of so many threads a multiprocessor works on at the same time."""
        found = _int()
        name = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
        self._call(name, ctypes.byref(found), code.function, threads, 0)
        return max(1, found.value)

    def launch(self, code: GpuCode, blocks: int, threads: int, argument: ctypes.Structure) -> None:
        """Returns when all of it is done."""
        arguments = (_pointer * 1)(ctypes.addressof(argument))
        self._call("cuLaunchKernel", code.function, blocks, 1, 1, threads, 1, 1, 0, None, arguments, None)
        self._call("cuCtxSynchronize")

    # --- calls ---------------------------------------------------------------------------------------------------

    def _attribute(self, number: int) -> int:
        found = _int()
        self._call("cuDeviceGetAttribute", ctypes.byref(found), number, self._device)
        return found.value

    def _call(self, name: str, *arguments: Any) -> None:
        failed = getattr(self._cuda, name)(*arguments)
        if failed == _OUT_OF_MEMORY:
            raise NoGpu("the GPU has too little memory")
        if failed:
            raise NoGpu(f"the GPU failed: {self._said(failed)} ({name})")

    def _said(self, failed: int) -> str:
        text = ctypes.c_char_p()
        self._cuda.cuGetErrorString(failed, ctypes.byref(text))
        return text.value.decode(errors="replace") if text.value else f"error {failed}"


@cache
def gpu() -> Gpu:
    """The GPU, started once in a process. A failure is told again at every call."""
    return Gpu()


def _library() -> ctypes.CDLL:
    name = os.environ.get(LIBRARY_VARIABLE) or LIBRARY
    try:
        found = ctypes.CDLL(name)
    except OSError:
        raise NoGpu(f"no NVIDIA driver is here ({name} cannot be loaded)") from None
    try:
        for function, kinds in _SIGNATURES.items():
            getattr(found, function).argtypes = kinds
    except AttributeError as missing:
        raise NoGpu(f"the NVIDIA driver is too old: {missing}") from None
    return found


_SIGNATURES: dict[str, Sequence[Any]] = {
    "cuInit": (_uint,),
    "cuDriverGetVersion": (_pointer,),
    "cuDeviceGetCount": (_pointer,),
    "cuDeviceGet": (_pointer, _int),
    "cuDeviceGetName": (_pointer, _int, _int),
    "cuDeviceGetAttribute": (_pointer, _int, _int),
    "cuDevicePrimaryCtxRetain": (_pointer, _int),
    "cuCtxSetCurrent": (_pointer,),
    "cuCtxSynchronize": (),
    "cuMemGetInfo_v2": (_pointer, _pointer),
    "cuMemAlloc_v2": (_pointer, _size),
    "cuMemFree_v2": (_address,),
    "cuMemcpyHtoD_v2": (_address, _pointer, _size),
    "cuMemcpyDtoH_v2": (_pointer, _address, _size),
    "cuMemsetD8_v2": (_address, ctypes.c_ubyte, _size),
    "cuModuleLoadDataEx": (_pointer, ctypes.c_char_p, _uint, _pointer, _pointer),
    "cuModuleUnload": (_pointer,),
    "cuModuleGetFunction": (_pointer, _pointer, ctypes.c_char_p),
    "cuModuleGetGlobal_v2": (_pointer, _pointer, _pointer, ctypes.c_char_p),
    "cuFuncGetAttribute": (_pointer, _int, _pointer),
    "cuFuncSetAttribute": (_pointer, _int, _int),
    "cuOccupancyMaxActiveBlocksPerMultiprocessor": (_pointer, _pointer, _int, _size),
    "cuLaunchKernel": (_pointer, *(_uint,) * 7, _pointer, _pointer, _pointer),
    "cuGetErrorString": (_int, _pointer),
}


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def _mib(size: int) -> str:
    return f"{size / 2**20:,.0f} MiB"
