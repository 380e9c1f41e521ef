"""What `check-proof` does for each kind of proof, and the line it says: what was checked, what is trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from threadproof.cli.main import ExitCode
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import (
    CompleteExploration,
    CompleteUnwinding,
    LockOrderProof,
    Proof,
    RaceProof,
    SequentializedProof,
)
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict

if TYPE_CHECKING:
    from threadproof.frontend import FrontendOptions
    from threadproof.ir.program import Program

RUNS_S, RUNS = 10.0, 0.2
"""For random runs against a proof: seconds, and a share of the time."""
AGAIN = 0.8
"""Of the time, for the reference semantics to explore once more."""
_Said = tuple[ExitCode, str]


@dataclass(frozen=True, slots=True)
class _Claim:
    """That the proof is one, of the program as the front end reads it now."""

    files: Sequence[str]
    frontend: FrontendOptions
    program: Program
    property: Property
    model: MemoryModel
    proof: Proof
    formulas: list[str]
    budget: Budget


def checked(
    data: dict[str, Any],
    files: Sequence[str],
    prop: Property,
    model: MemoryModel,
    frontend: FrontendOptions,
    timeout: float,
) -> _Said:
    from threadproof.evidence.proofs.files import proof_from_json
    from threadproof.portfolio import prepare
    from threadproof.portfolio.assumptions import told

    budget = Budget(timeout)
    try:
        proof = proof_from_json(data["proof"])
    except InputError as error:
        return ExitCode.FALSE, f"rejected: {error}"
    formulas = data["formulas"]
    if not isinstance(formulas, list) or not all(isinstance(one, str) for one in cast(list[Any], formulas)):
        return ExitCode.FALSE, "rejected: formulas is no list of scripts"
    program = prepare(list(files), prop, frontend)
    code, said = _checked(_Claim(files, frontend, program, prop, model, proof, cast(list[str], formulas), budget))
    if code is not ExitCode.TRUE:
        return code, said
    assumed = told(program, Answer(prop, Verdict.TRUE, "", proof=proof), model).assumptions
    return code, f"{said}; assuming {'; '.join((*_read_with(frontend), *assumed))}"


def _read_with(frontend: FrontendOptions) -> Iterator[str]:
    """How the proof wants its files read: as another program, perhaps, than the reader of the line thinks of."""
    options = [f"-D {one}" for one in frontend.defines] + [f"-U {one}" for one in frontend.undefines]
    options += [f"-I {one}" for one in frontend.include_dirs] + [f"--include {one}" for one in frontend.headers]
    options += [f"--std {frontend.std}"] if frontend.std else []
    options += ["--data-model ILP32"] if frontend.data_model.value == "ILP32" else []
    options += ["--volatile atomic"] if frontend.volatile.value == "atomic" else []
    options += [f"--spurious {frontend.spurious.value}"] if frontend.spurious is not None else []
    if options:
        yield f"the files are read with {' '.join(options)}"
    if frontend.arguments is not None:
        yield f"the program is started with {' '.join(frontend.arguments) or 'no arguments'}"


def _checked(claim: _Claim) -> _Said:
    from threadproof.evidence.proofs import NotChecked, Rejected, check_proof
    from threadproof.evidence.runs import contradiction

    program, prop, proof, model, budget = claim.program, claim.property, claim.proof, claim.model, claim.budget
    result = check_proof(program, prop, proof, budget, model)
    if isinstance(result, Rejected):
        return ExitCode.FALSE, f"rejected: {result.why}"
    if isinstance(result, NotChecked):
        return ExitCode.UNKNOWN, f"not checked: {result.why}"
    against = contradiction(program, prop, proof, Budget(min(RUNS_S, budget.part(RUNS).left())), model)
    if against is not None:
        return ExitCode.FALSE, f"rejected: {against.what}"
    if isinstance(proof, CompleteUnwinding) and claim.formulas:
        return _solved_again(claim, proof)
    if claim.formulas:
        return ExitCode.FALSE, f"rejected: a proof of the kind '{proof.kind}' has no formulas"
    if isinstance(proof, RaceProof):
        code, said = _explored(claim)
        return code, f"{said}; it speaks of every access, and {len(proof.claims)} claims hold in random runs"
    if isinstance(proof, CompleteExploration | CompleteUnwinding | SequentializedProof):
        return _explored(claim)  # they say no more than that all was looked at
    figures = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in result.figures.items())
    asked = "random runs" if isinstance(proof, LockOrderProof) else "another solver, z3, and random runs"
    said = f"accepted ({proof.kind}{': ' + figures if figures else ''}; {asked})"
    trusted = "letters as formulas, the checker and z3"
    if isinstance(proof, LockOrderProof):
        trusted = "the checker and z3" if any(one.knows for one in proof.held) else "the checker"
    return ExitCode.TRUE, f"{said}; trusted: the front end, {trusted}"


def _explored(claim: _Claim) -> _Said:
    """What the reference semantics can say without the proof."""
    from threadproof.evidence.proofs.explored_again import explored_again

    kind = claim.proof.kind
    again = explored_again(claim.program, claim.property, claim.model, claim.budget.part(AGAIN))
    if again is None:
        return ExitCode.UNKNOWN, "not checked: the reference semantics does not explore weak memory again"
    if again.against:
        what = f"the reference semantics, which explored again, meets: {again.against}"
        return ExitCode.UNKNOWN, f"not checked: {what}"
    if again.complete:
        said = f"accepted ({kind}): the reference semantics made all {again.states:,} states and steps again"
        return ExitCode.TRUE, f"{said}, without reductions; trusted: the front end and the reference semantics"
    share = again.states / (again.states + again.left)
    said = f"checked in part ({kind}): the reference semantics made {again.states:,} states and their steps again"
    return ExitCode.UNKNOWN, f"{said} ({share:.0%} of those it met); the rest is trusted"


def _solved_again(claim: _Claim, proof: CompleteUnwinding) -> _Said:
    """The formulas follow from the sources, and the other solver finds no model of them."""
    from threadproof.cli.proofs import made_formulas
    from threadproof.core.errors import InternalError
    from threadproof.smt.reading import read
    from threadproof.smt.solver import SolverName, Undecided, Unsat, open_solver
    from threadproof.smt.terms import Terms

    made = made_formulas(claim.files, claim.property, claim.model, claim.frontend, claim.budget)
    if not made:
        return ExitCode.UNKNOWN, "not checked: the unwinding did not come to its end again"
    if list(made) != claim.formulas:
        return ExitCode.FALSE, "rejected: the formulas are not those of the sources"
    for text in made:
        terms = Terms()
        try:
            solver = open_solver(SolverName.Z3)
            solver.add(*read(terms, text))
        except (InputError, InternalError) as error:
            return ExitCode.UNKNOWN, f"not checked: {error}"
        outcome = solver.check((), max(0.1, claim.budget.left()))
        if isinstance(outcome, Undecided):
            return ExitCode.UNKNOWN, f"not checked: z3 did not decide a formula ({outcome.reason.value})"
        if not isinstance(outcome, Unsat):
            return ExitCode.FALSE, "rejected: z3 finds a model of a formula"
    said = f"accepted ({proof.kind}): {len(made)} formulas were made again from the sources, and have no model by z3"
    return ExitCode.TRUE, f"{said}; trusted: the front end, the unwinding as formulas, and z3"
