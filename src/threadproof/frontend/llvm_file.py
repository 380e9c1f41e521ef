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
        raise InputError(f"{path}: {_message(str(error))}") from None
    return str(module)


def _message(text: str) -> str:
    """LLVM's message without the name it gives to unnamed input."""
    lines = [line.removeprefix("<string>:") for line in text.splitlines() if line.strip()]
    return "\n".join(lines[1:4] if len(lines) > 1 and lines[0].startswith("LLVM IR parsing") else lines[:4])
