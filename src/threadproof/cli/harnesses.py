"""`verify --harness DIR`: the counterexample on real threads."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.result import Answer, Verdict

if TYPE_CHECKING:
    from threadproof.frontend import FrontendOptions


def require_folder(folder: str) -> None:
    """Asked before the work starts."""
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise InputError(f"--harness {folder}: it is not a directory")
    above = folder if os.path.isdir(folder) else os.path.dirname(os.path.abspath(folder))
    if not os.path.isdir(above) or not os.access(above, os.W_OK):
        raise InputError(f"--harness {folder}: cannot write there")
    if os.path.isdir(folder):
        from threadproof.harness.files import remove_harness

        remove_harness(folder)  # whoever finds one there finds that of this run


def written(folder: str, answers: list[Answer], files: Sequence[str], frontend: FrontendOptions) -> list[Answer]:
    """The answers, with a note on the harness of the first `false` for which there can be one."""
    from threadproof.harness.files import STEERED

    why = "nothing was shown to be false"
    for index, answer in enumerate(answers):
        if answer.verdict is not Verdict.FALSE or answer.trace is None:
            continue
        if answer.property not in STEERED:
            why = f"only for {' and '.join(one.value for one in STEERED)}"
        elif answer.trace.model is not MemoryModel.SC:
            why = f"real threads cannot be steered along an execution under {answer.trace.model.value}"
        else:
            try:
                _write(folder, answer, files, frontend)
            except OSError as error:
                raise InputError(f"cannot write {folder}: {error.strerror}") from None
            said = f"on real threads: make -C {shlex.quote(folder)}"
            return [*answers[:index], replace(answer, notes=(*answer.notes, said)), *answers[index + 1 :]]
    return [replace(one, notes=(*one.notes, f"no harness: {why}")) for one in answers[:1]] + answers[1:]


def _write(folder: str, answer: Answer, files: Sequence[str], frontend: FrontendOptions) -> None:
    from threadproof.harness import write_harness
    from threadproof.portfolio import prepare

    assert answer.trace is not None
    program = prepare(list(files), answer.property, frontend)
    write_harness(folder, program, answer.property, answer.trace, files, _flags(frontend))


def _flags(frontend: FrontendOptions) -> list[str]:
    """For gcc what clang was told."""
    flags = [f"-I{os.path.abspath(one)}" for one in frontend.include_dirs]
    flags += [f"-D{one}" for one in frontend.defines] + [f"-U{one}" for one in frontend.undefines]
    return flags + ([f"-std={frontend.std}"] if frontend.std else [])
