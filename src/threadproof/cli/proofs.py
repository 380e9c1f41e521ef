"""`verify --proof FILE` and `threadproof check-proof`: what `true` rests on as a file, and checked again from it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import click

from threadproof import __version__
from threadproof.cli.main import ExitCode
from threadproof.cli.options import CONTEXT, Seconds, files_argument, write_text
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.files import require_readable
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict

if TYPE_CHECKING:
    from threadproof.frontend import FrontendOptions

FORMAT = "threadproof-proof"
VERSION = 1
_KEYS = {"format", "version", "producer", "property", "memory_model", "files", "reading", "proof", "formulas"}


# --- writing ---------------------------------------------------------------------------------------------------------


def written(file: str, answers: list[Answer], files: Sequence[str], frontend: FrontendOptions) -> list[Answer]:
    """The answers, with a note where there is no proof. It is of the first `true`."""
    for index, answer in enumerate(answers):
        if answer.verdict is Verdict.TRUE and answer.proof is not None:
            write_text(file, json.dumps(proof_data(answer, files, frontend), indent=1) + "\n")
            said = f"the proof again: threadproof check-proof {file} {' '.join(files)}"
            return [*answers[:index], replace(answer, notes=(*answer.notes, said)), *answers[index + 1 :]]
    return [
        replace(one, notes=(*one.notes, "no proof: nothing was shown to be true")) for one in answers[:1]
    ] + answers[1:]


def proof_data(answer: Answer, files: Sequence[str], frontend: FrontendOptions) -> dict[str, Any]:
    from threadproof.evidence.proofs.files import proof_to_json

    assert answer.proof is not None
    return {
        "format": FORMAT,
        "version": VERSION,
        "producer": f"threadproof {__version__}, engine {answer.engine}",
        "property": answer.property.value,
        "memory_model": answer.memory_model.value,
        "files": [{"name": file, "sha256": _hash(file)} for file in files],
        "reading": _reading(frontend),
        "proof": proof_to_json(answer.proof),
        "formulas": list(_formulas(answer, files, frontend)),
    }


def _formulas(answer: Answer, files: Sequence[str], frontend: FrontendOptions) -> tuple[str, ...]:
    """An unwinding rests on formulas without a model: they are made once more, since nobody kept them."""
    from threadproof.core.proofs import CompleteUnwinding

    if not isinstance(answer.proof, CompleteUnwinding):
        return ()
    return made_formulas(files, answer.property, answer.memory_model, frontend, Budget(10 * answer.wall_s + 60))


def made_formulas(
    files: Sequence[str], prop: Property, model: MemoryModel, frontend: FrontendOptions, budget: Budget
) -> tuple[str, ...]:
    from threadproof.core.observer import Silent
    from threadproof.engines.bmc import formulas
    from threadproof.engines.task import Task
    from threadproof.portfolio import prepare

    return formulas(Task(prepare(list(files), prop, frontend), prop, memory_model=model), budget, Silent())


def _reading(frontend: FrontendOptions) -> dict[str, Any]:
    return {
        "data_model": frontend.data_model.value,
        "include_dirs": list(frontend.include_dirs),
        "defines": list(frontend.defines),
        "undefines": list(frontend.undefines),
        "headers": list(frontend.headers),
        "std": frontend.std,
        "undefined": frontend.undefined.value,
        "arguments": None if frontend.arguments is None else list(frontend.arguments),
        "assume_pure": list(frontend.assume_pure),
        "volatile": frontend.volatile.value,
        "spurious": None if frontend.spurious is None else frontend.spurious.value,
    }


def _hash(file: str) -> str:
    from hashlib import sha256

    with open(file, "rb") as content:
        return sha256(content.read()).hexdigest()


# --- checking --------------------------------------------------------------------------------------------------------


@click.command("check-proof", context_settings=CONTEXT)
@click.argument("proof_file", metavar="PROOF")
@files_argument
@click.option("--timeout", metavar="S", type=Seconds(), default=900.0, show_default=True, help="For the check.")
@click.option("--clang", metavar="PATH", help="Use this clang instead of the bundled one.")
def check_proof(proof_file: str, files: tuple[str, ...], timeout: float, clang: str | None) -> int:
    """Check a proof that `threadproof verify --proof PROOF` wrote, from the sources FILE...

    One line says what was checked and what is trusted. Exit code 0: accepted; 1: rejected, it is no proof; 2: not
    checked, or not to its end; 3: the file cannot be read.
    """
    import sys

    from threadproof.cli.proof_check import checked

    sys.setrecursionlimit(20_000)
    data = _read(proof_file)
    frontend = _frontend(proof_file, data, clang)
    try:
        prop, model = Property(data["property"]), MemoryModel(data["memory_model"])
        hashes = [str(one["sha256"]) for one in data["files"]]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{proof_file}: its property, memory model or files cannot be read") from None
    if hashes != [_hash(file) for file in files]:
        click.echo(f"{prop}: rejected: the proof is not about these files (their SHA-256 is another)")
        return ExitCode.FALSE
    code, said = checked(data, files, prop, model, frontend, timeout)
    click.echo(f"{prop}: {said}")
    return code


def _read(file: str) -> dict[str, Any]:
    require_readable(file)
    try:
        with open(file, encoding="utf-8") as text:
            data: Any = json.load(text)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise InputError(f"{file}: not JSON") from None
    if not isinstance(data, dict) or set(cast(dict[str, Any], data)) != _KEYS:
        raise InputError(f"{file}: not a proof that verify --proof wrote")
    found = cast(dict[str, Any], data)
    if (found["format"], found["version"]) != (FORMAT, VERSION):
        raise InputError(f"{file}: another format of proofs: {found['format']} {found['version']}")
    return found


def _frontend(file: str, data: dict[str, Any], clang: str | None) -> FrontendOptions:
    """As the program was read for the proof."""
    from threadproof.frontend import FrontendOptions
    from threadproof.frontend.options import Volatile
    from threadproof.ir.program import DataModel, Spurious, Taken

    reading: Any = data["reading"]
    try:
        given = None if reading["arguments"] is None else tuple(str(one) for one in reading["arguments"])
        return FrontendOptions(
            data_model=DataModel(reading["data_model"]),
            include_dirs=tuple(str(one) for one in reading["include_dirs"]),
            defines=tuple(str(one) for one in reading["defines"]),
            undefines=tuple(str(one) for one in reading["undefines"]),
            headers=tuple(str(one) for one in reading["headers"]),
            std=None if reading["std"] is None else str(reading["std"]),
            clang=clang,
            undefined=Taken(reading["undefined"]),
            arguments=given,
            assume_pure=tuple(str(one) for one in reading["assume_pure"]),
            volatile=Volatile(reading["volatile"]),
            spurious=None if reading["spurious"] is None else Spurious(reading["spurious"]),
        )
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{file}: how the program was read cannot be read") from None
