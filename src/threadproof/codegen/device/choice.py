"""Who makes the runs: the processor, the GPU, or the GPU where there is one that can."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from threadproof.core.errors import InputError

if TYPE_CHECKING:
    from threadproof.codegen.device.cuda import Gpu, NoGpu


class DeviceChoice(Enum):
    CPU = "cpu"
    GPU = "gpu"
    AUTO = "auto"


class Device:
    """What was chosen, and what came of it. Raises InputError if it must be the GPU and that cannot be."""

    def __init__(self, choice: DeviceChoice = DeviceChoice.CPU) -> None:
        self._choice = choice
        self.gpu: Gpu | None = None
        self.note = ""  # why it is not the GPU
        if choice is not DeviceChoice.CPU:
            self._open()

    def _open(self) -> None:
        from threadproof.codegen.device.cuda import NoGpu, gpu

        try:
            self.gpu = gpu()
            self.gpu.enter()
        except NoGpu as problem:
            self.give_up(problem)

    def give_up(self, problem: NoGpu) -> None:
        """From now on the processor makes the runs, which changes no result."""
        if self._choice is DeviceChoice.GPU:
            raise InputError(f"{problem}: --device cpu and --device auto do without") from None
        self.gpu = None
        self.note = f"not on a GPU: {problem}"

    @property
    def name(self) -> str:
        return "" if self.gpu is None else f" on {self.gpu.name}"
