"""`threadproof verify`: options in, answers out, exit code of the worst verdict."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from typing import Any

import click

from threadproof.cli import startup
from threadproof.cli.main import OF_VERDICT, forget_stdout
from threadproof.cli.options import (
    CONTEXT,
    Reading,
    files_argument,
    reading_options,
    require_writable,
    write_text,
)
from threadproof.core.errors import InputError, NotThereYet
from threadproof.core.property import Property, parse_property
from threadproof.core.result import Answer, Verdict

READY_ENGINES = ("auto", "explicit", "dpor", "random", "races")
LATER_ENGINES = ("bmc", "seq")


@click.command(context_settings=CONTEXT)
@files_argument
@click.option(
    "--property",
    "-p",
    "properties",
    metavar="NAME_OR_PRP",
    multiple=True,
    help=f"{', '.join(p.value for p in Property)} or an SV-COMP .prp file. [default: unreach-call]",
)
@click.option("--engine", metavar="NAME", default="auto", show_default=True, help=f"{', '.join(READY_ENGINES)}.")
@click.option(
    "--memory-model",
    type=click.Choice(("sc", "tso", "pso")),
    default="sc",
    show_default=True,
    help="Only sc, sequential consistency, so far.",
)
@click.option("--reduction", metavar="R", default="", help="Of dpor: none, sleep, source or optimal (the default).")
@click.option(
    "--preemptions",
    metavar="N",
    type=click.IntRange(min=0),
    help="Of dpor: only executions in which a thread that could go on is left at most N times; never true.",
)
@click.option("--unwind", metavar="K", type=click.IntRange(min=0), help="Loop bound. (not there yet)")
@click.option(
    "--timeout",
    metavar="S",
    type=click.FloatRange(min=0, min_open=True),
    default=900.0,
    show_default=True,
    help="Wall time of the whole command, in seconds.",
)
@click.option("--memory-limit", metavar="MB", type=click.IntRange(min=1), help="Memory of all processes.")
@click.option("--seed", metavar="N", type=int, default=0, show_default=True, help="Seed of what is random.")
@click.option("--json", "json_file", metavar="FILE|-", help="Write the answer as JSON; - is stdout alone.")
@click.option("--witness", metavar="FILE", help="Write an SV-COMP witness. (not there yet)")
@click.option("--report", metavar="DIR", help="Write an HTML report. (not there yet)")
@reading_options
def verify(
    files: tuple[str, ...],
    properties: tuple[str, ...],
    engine: str,
    timeout: float,
    memory_limit: int | None,
    seed: int,
    reduction: str,
    json_file: str | None,
    reading: Reading,
    **asked: Any,
) -> int:
    """Check properties of the program that FILE... make together."""
    _refuse_what_is_missing(engine, reduction, asked)
    wanted = list(dict.fromkeys(parse_property(text) for text in properties or ("unreach-call",)))
    if json_file not in (None, "-"):
        require_writable(json_file)
    answers = _answers(files, wanted, engine, reading, timeout, memory_limit, seed, reduction, asked["preemptions"])
    inputs = {"files": list(files), "data_model": reading.data_model}
    return deliver(answers, json_file, inputs)


def _answers(
    files: Sequence[str],
    wanted: Sequence[Property],
    engine: str,
    reading: Reading,
    timeout: float,
    memory_limit: int | None,
    seed: int,
    reduction: str,
    preemptions: int | None,
) -> list[Answer]:
    from threadproof import portfolio
    from threadproof.cli.progress import observing

    options = portfolio.VerifyOptions(
        engine=engine,
        frontend=reading.options(),
        timeout=max(0.1, timeout - startup.seconds),  # of the whole command
        memory_mb=memory_limit,
        seed=seed,
        reduction=reduction,
        preemptions=preemptions,
    )
    started = time.monotonic()
    try:
        with observing() as observer:
            return portfolio.verify(files, wanted, options, observer)
    except KeyboardInterrupt:
        seconds = time.monotonic() - started
        return [
            Answer(one, Verdict.UNKNOWN, engine, reason="interrupted", wall_s=seconds / len(wanted)) for one in wanted
        ]


def deliver(answers: Sequence[Answer], json_file: str | None, inputs: dict[str, Any]) -> int:
    """Writes the answers where they were asked for. A reader who left early does not change the exit code."""
    from threadproof.report.json_report import report, worst

    if json_file not in (None, "-"):
        write_text(json_file, _json(report(answers, inputs)))
    try:
        if json_file == "-":
            sys.stdout.write(_json(report(answers, inputs)))
        else:
            from threadproof.report.terminal import print_answers

            print_answers(answers)
        sys.stdout.flush()
    except BrokenPipeError:
        forget_stdout()
    return OF_VERDICT[worst(answers)]


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False, default=str) + "\n"


def _refuse_what_is_missing(engine: str, reduction: str, asked: dict[str, Any]) -> None:
    if engine in LATER_ENGINES:
        raise NotThereYet(f"the engine {engine} is not there yet: use {', '.join(READY_ENGINES)}")
    if engine not in READY_ENGINES:
        raise InputError(
            f"unknown engine '{engine}': choose one of {', '.join(READY_ENGINES)}"
            f" (not there yet: {', '.join(LATER_ENGINES)})"
        )
    if reduction and engine != "dpor":
        raise InputError("--reduction goes with --engine dpor")
    if asked["preemptions"] is not None and engine != "dpor":
        raise InputError("--preemptions goes with --engine dpor")
    if asked["memory_model"] != "sc":
        raise NotThereYet(f"the memory model {asked['memory_model']} is not there yet: use sc")
    for option in ("unwind", "witness", "report"):
        if asked[option] is not None:
            raise NotThereYet(f"the option --{option} is not there yet")
