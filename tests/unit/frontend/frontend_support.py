"""Loading small programs from text, and looking at what came out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from threadproof.frontend import FrontendOptions, load
from threadproof.ir.instr import Instr, Unsupported
from threadproof.ir.program import DataModel, Program

T = TypeVar("T")
Loader = Callable[..., Program]


def load_text(
    folder: Path, *texts: str, model: DataModel = DataModel.LP64, suffix: str = ".c", **options: object
) -> Program:
    paths: list[str] = []
    for number, text in enumerate(texts):
        path = folder / f"file{number}{suffix}"
        path.write_text(text, encoding="utf-8")
        paths.append(str(path))
    return load(paths, FrontendOptions(data_model=model, **options))  # type: ignore[arg-type]


def instrs(program: Program, function: str) -> list[Instr]:
    return [instr for block in program.functions[function].blocks for instr in block.instrs]


def only(program: Program, function: str, kind: type[T]) -> list[T]:
    return [instr for instr in instrs(program, function) if isinstance(instr, kind)]


def unsupported(program: Program) -> list[str]:
    return [instr.construct for name in program.functions for instr in only(program, name, Unsupported)]
