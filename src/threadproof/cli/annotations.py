"""`verify --annotate DIR`: the sources of a `true`, with invariants as comments."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from threadproof.core.errors import InputError
from threadproof.core.result import Answer, Verdict

if TYPE_CHECKING:
    from threadproof.frontend import FrontendOptions


def require_folder(folder: str) -> None:
    """Asked before the work starts."""
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise InputError(f"--annotate {folder}: it is not a directory")
    above = folder if os.path.isdir(folder) else os.path.dirname(os.path.abspath(folder))
    if not os.path.isdir(above) or not os.access(above, os.W_OK):
        raise InputError(f"--annotate {folder}: cannot write there")


def written(folder: str, answers: list[Answer], files: Sequence[str], frontend: FrontendOptions) -> list[Answer]:
    """The answers, with a note on what is in the folder. It is of the first `true`."""
    if any(os.path.dirname(os.path.abspath(file)) == os.path.abspath(folder) for file in files):
        raise InputError(f"--annotate {folder}: the sources are there, and are not written over")
    for index, answer in enumerate(answers):
        if answer.verdict is Verdict.TRUE:
            said = _write(folder, answer, files, frontend)
            return [*answers[:index], replace(answer, notes=(*answer.notes, said)), *answers[index + 1 :]]
    return [
        replace(one, notes=(*one.notes, "no annotated sources: nothing was shown to be true")) for one in answers[:1]
    ] + answers[1:]


def _write(folder: str, answer: Answer, files: Sequence[str], frontend: FrontendOptions) -> str:
    from threadproof.invariants.annotate import annotated, write_annotated
    from threadproof.invariants.of_answer import invariants_of
    from threadproof.witness.source_text import SourceTexts

    witness = invariants_of(answer, files, frontend)
    if not witness.invariants:
        return "no annotated sources: no invariant of the proof could be said in C and proved again"
    try:
        names = write_annotated(folder, annotated(witness, SourceTexts(files)))
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror}") from None
    many = f"{len(witness.invariants)} invariant{'' if len(witness.invariants) == 1 else 's'}"
    return f"{many} in the comments of {', '.join(os.path.join(folder, name) for name in names)}"
