"""`threadproof replay`: a counterexample again, from the JSON that `verify --json` wrote, or from a witness."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, cast

import click

from threadproof.cli.main import ExitCode
from threadproof.cli.options import CONTEXT, Reading, Seconds, files_argument, reading_options
from threadproof.cli.witnesses import OfOthers, is_witness, replay_witness
from threadproof.core import schedule as schedules
from threadproof.core.errors import InputError
from threadproof.core.files import require_readable
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property, parse_property
from threadproof.core.result import Verdict
from threadproof.core.schedule import Schedule

TELLING_S = 1.0  # to find out which steps matter


@click.command(context_settings=CONTEXT)
@click.argument("trace_file", metavar="TRACE")
@files_argument
@click.option("--property", "-p", "wanted", metavar="NAME", help="Which result, if TRACE has several.")
@click.option(
    "--timeout",
    metavar="S",
    type=Seconds(),
    default=60.0,
    show_default=True,
    help="Time for the search of what a witness leaves open.",
)
@click.option("--full", is_flag=True, help="Show every step, also those that do not matter for the violation.")
@click.option("--other-program", is_flag=True, help="Take a witness whose hash is not that of FILE..., too.")
@reading_options
def replay(
    trace_file: str,
    files: tuple[str, ...],
    wanted: str | None,
    timeout: float,
    full: bool,
    other_program: bool,
    reading: Reading,
) -> int:
    """Run the counterexample in TRACE on FILE... and show it, or prove a correctness witness again.

    TRACE is the file that `threadproof verify --json TRACE` wrote, or an SV-COMP witness (.graphml, .yml) of any tool.
    One of a violation is a guide: what it leaves open is searched. One of correctness is confirmed if the property and
    all its invariants are proved. Exit code 0: correctness is confirmed; 1: the violation happened (again); 2: neither.
    """
    if is_witness(trace_file):
        of_others = OfOthers.TAKEN if other_program else OfOthers.REFUSED
        return replay_witness(trace_file, files, wanted, timeout, reading, of_others)
    asked, schedule, model = read_trace(trace_file, wanted)
    from threadproof import evidence, portfolio
    from threadproof.core.budget import Budget
    from threadproof.evidence.relevance import with_roles
    from threadproof.evidence.replay import Sought
    from threadproof.report.lanes import Amount

    program = portfolio.prepare(list(files), asked, _as_recorded(trace_file, reading).options())
    trace = evidence.replay_schedule(program, asked, schedule, model)
    amount = Amount.FULL if full else Amount.WHAT_MATTERS
    if trace is None and (met := evidence.replay_schedule(program, asked, schedule, model, Sought.UNDEFINED)):
        from threadproof.report.terminal import print_trace

        print_trace(asked, met, Verdict.UNKNOWN, amount)
        return ExitCode.UNKNOWN
    if trace is None:
        click.echo(f"{asked.value}: unknown — the schedule in {trace_file} does not reproduce a violation")
        return ExitCode.UNKNOWN
    from threadproof.report.terminal import print_trace

    print_trace(asked, with_roles(program, asked, trace, Budget(TELLING_S)), amount=amount)
    return ExitCode.FALSE


def _as_recorded(file: str, reading: Reading) -> Reading:
    """With the rules under which the trace was found."""
    given: Any = _report(file).get("inputs")
    inputs: dict[str, Any] = cast(dict[str, Any], given) if isinstance(given, dict) else {}
    return replace(reading, **{name: inputs[name] for name in ("volatile", "spurious") if name in inputs})


def read_trace(file: str, wanted: str | None) -> tuple[Property, Schedule, MemoryModel]:
    """Property, schedule and memory model of the first `false` in a report, or of the one named."""
    found = [one for one in _results(file) if one.get("schedule") is not None]
    found.sort(key=lambda one: one.get("verdict") != "false")
    if wanted is not None:
        found = [one for one in found if one.get("property") == parse_property(wanted).value]
    if not found:
        which = f" for {wanted}" if wanted else ""
        raise InputError(f"{file}: no counterexample{which} in it (a schedule of a false verdict)")
    if found[0].get("granularity", "visible") != "visible":
        raise InputError(f"{file}: its steps are single instructions: give it to simulate --trace")
    try:
        model = MemoryModel(found[0].get("memory_model", "sc"))
        return parse_property(found[0]["property"]), schedules.from_json(found[0]["schedule"]), model
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{file}: its schedule is not one that verify --json wrote") from None


def _results(file: str) -> list[dict[str, Any]]:
    report = _report(file)
    results: Any = report.get("results", [report])
    if not isinstance(results, list):
        raise InputError(f"{file}: not a report of verify --json")
    return [cast(dict[str, Any], one) for one in cast(list[Any], results) if isinstance(one, dict)]


def _report(file: str) -> dict[str, Any]:
    require_readable(file)
    try:
        with open(file, encoding="utf-8") as text:
            data: Any = json.load(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{file}:{error.lineno}: not JSON: {error.msg}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: not JSON: it is not text") from None
    if not isinstance(data, dict):
        raise InputError(f"{file}: not a report of verify --json")
    return cast(dict[str, Any], data)
