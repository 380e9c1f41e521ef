"""LLVM text as input. LLVM checks it and writes it out again, so that our reader meets one spelling only."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from threadproof.core.errors import InputError


def read_llvm(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except UnicodeDecodeError:
        raise InputError(f"{path}: this is not LLVM text") from None
    llvm: Any = import_module("llvmlite.binding")  # here, since C input does without it
    try:
        module = llvm.parse_assembly(text)
        module.verify()
    except RuntimeError as error:
        raise InputError(_message(path, str(error))) from None
    return str(module)


def _message(path: str, text: str) -> str:
    """LLVM's message under the file's name instead of the one it gives to unnamed input."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].startswith("LLVM IR parsing"):
        del lines[0]
    if lines and lines[0].startswith("<string>:"):
        lines[0] = lines[0].replace("<string>", path, 1)
    else:
        lines[:1] = [f"{path}: {lines[0] if lines else 'no message'}"]
    return "\n".join(lines[:3])
