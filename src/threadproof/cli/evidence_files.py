"""Options of `verify` for what others can check: witnesses, harnesses, proofs. They are one parameter."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from threadproof import __version__
from threadproof.cli import annotations, harnesses, proofs, witnesses
from threadproof.cli.options import require_writable, write_text
from threadproof.core.result import Answer

if TYPE_CHECKING:
    from threadproof.frontend import FrontendOptions


@dataclass(frozen=True, slots=True)
class EvidenceFiles:
    """Where each is written; None: it was not asked for."""

    witness: str | None
    harness: str | None
    proof: str | None
    annotate: str | None
    sarif: str | None
    junit: str | None

    def require(self) -> None:
        """Asked before the work starts."""
        if self.witness is not None:
            witnesses.require_format(self.witness)
        if self.harness is not None:
            harnesses.require_folder(self.harness)
        if self.annotate is not None:
            annotations.require_folder(self.annotate)
        for file in (self.proof, self.sarif, self.junit):
            if file is not None:
                require_writable(file)
        for file in (self.witness, self.proof):  # not every verdict has one: what is there afterwards is of this run
            if file is not None and os.path.isfile(file):
                os.unlink(file)

    def written(self, answers: list[Answer], files: Sequence[str], frontend: FrontendOptions) -> list[Answer]:
        """The answers, with notes on what was written, or why not."""
        if self.witness is not None:
            answers = witnesses.written(self.witness, answers, files, frontend)
        if self.harness is not None:
            answers = harnesses.written(self.harness, answers, files, frontend)
        if self.annotate is not None:
            answers = annotations.written(self.annotate, answers, files, frontend)
        if self.proof is not None:
            answers = proofs.written(self.proof, answers, files, frontend)
        self._reports(answers, files)
        return answers

    def _reports(self, answers: Sequence[Answer], files: Sequence[str]) -> None:
        if self.sarif is not None:
            from threadproof.report.sarif import sarif

            write_text(self.sarif, json.dumps(sarif(answers, files, __version__), indent=1) + "\n")
        if self.junit is not None:
            from threadproof.report.junit import junit

            write_text(self.junit, junit(answers, files))


_OPTIONS = (
    (
        "--witness",
        "FILE",
        "Write an SV-COMP witness: GraphML 1.0 (.graphml) or YAML 2 (.yml). An older one is removed first.",
    ),
    (
        "--harness",
        "DIR",
        "Write C that shows a counterexample on real threads, and its Makefile. An older one is removed first.",
    ),
    ("--proof", "FILE", "Write what a true verdict rests on, for check-proof. An older one is removed first."),
    ("--annotate", "DIR", "Write the sources of a true verdict with invariants as comments."),
    ("--sarif", "FILE", "Write the answers in SARIF 2.1.0, for editors and code scanning."),
    ("--junit", "FILE", "Write the answers as JUnit XML, for CI."),
)


def evidence_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options to a command, which gets them as one parameter `evidence_files`."""

    @wraps(command)
    def wrapper(**given: Any) -> Any:
        names = [flag.removeprefix("--").replace("-", "_") for flag, _, _ in _OPTIONS]
        found = EvidenceFiles(**{name: given.pop(name) for name in names})
        return command(evidence_files=found, **given)

    decorated: Callable[..., Any] = wrapper
    for flag, metavar, says in reversed(_OPTIONS):
        decorated = click.option(flag, metavar=metavar, help=says)(decorated)
    return decorated
