"""`threadproof verify`: options in, answers out, exit code of the worst verdict."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from threadproof.cli import startup
from threadproof.cli.evidence_files import EvidenceFiles, evidence_options
from threadproof.cli.limits import with_limits
from threadproof.cli.main import OF_VERDICT, ExitCode, forget_stdout
from threadproof.cli.options import (
    CONTEXT,
    Reading,
    Seconds,
    caching,
    files_argument,
    reading_options,
    require_writable,
    write_text,
)
from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Observer
from threadproof.core.property import ALL, Property, parse_properties
from threadproof.core.result import Answer, Verdict
from threadproof.engines.rows import AUTO, ENGINES, flag, having, option_names

if TYPE_CHECKING:
    from threadproof.frontend import FrontendOptions
    from threadproof.portfolio import VerifyOptions


RARITY_S, TELLING_S = 1.0, 1.0  # for a person who reads the counterexample


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of single engines to a command, as `engines/rows` declares them."""
    for name in reversed(option_names()):
        able = having(name)
        one = next(iter(able.values()))
        says = "; ".join(f"of {engine}: {option.says}" for engine, option in able.items())
        kind = click.IntRange(min=one.least) if one.is_number else click.STRING
        text = f"{says[0].upper()}{says[1:]}."
        command = click.option(flag(name), name, metavar=one.metavar, type=kind, help=text)(command)
    return command


@click.command(context_settings=CONTEXT)
@files_argument
@click.option(
    "--property",
    "-p",
    "properties",
    metavar="NAME_OR_PRP",
    multiple=True,
    help=f"{', '.join(p.value for p in Property)}, {ALL}, or an SV-COMP .prp file; may be repeated. "
    "[default: unreach-call]",
)
@click.option("--engine", metavar="NAME", default="auto", show_default=True, help=f"{', '.join((AUTO, *ENGINES))}.")
@click.option(
    "--memory-model",
    type=click.Choice([model.value for model in MemoryModel]),
    default=MemoryModel.SC.value,
    show_default=True,
    help="Sequential consistency, or stores that reach other threads late (bmc and impact know those).",
)
@engine_options
@click.option(
    "--timeout",
    metavar="S",
    type=Seconds(),
    default=900.0,
    show_default=True,
    help="Wall time of the whole command, in seconds.",
)
@click.option("--memory-limit", metavar="MB", type=click.IntRange(min=1), help="Memory of all processes.")
@click.option("--seed", metavar="N", type=int, default=0, show_default=True, help="Seed of what is random.")
@click.option(
    "--cache/--no-cache",
    default=None,
    help="Take a verdict from the cache if the same was asked before, and keep it there; --no-cache: nothing from "
    "before is used, compiled machines neither. [default: machines, not verdicts]",
)
@click.option("--json", "json_file", metavar="FILE|-", help="Write the answer as JSON; - is stdout alone.")
@click.option("--full", is_flag=True, help="Show every step of a counterexample, also those that do not matter for it.")
@click.option(
    "--rarity/--no-rarity",
    default=None,
    help="Spend a second on random runs to tell how rare a violation is. [default: on a terminal]",
)
@click.option("--json-lines", is_flag=True, help="Stream progress and answers to stdout, one JSON object a line.")
@click.option("--report", metavar="DIR", help="Write DIR/index.html: a page to read, in which the program runs.")
@evidence_options
@reading_options
def verify(
    files: tuple[str, ...],
    properties: tuple[str, ...],
    json_file: str | None,
    reading: Reading,
    evidence_files: EvidenceFiles,
    report: str | None,
    full: bool,
    **asked: Any,
) -> int:
    """Check properties of the program that FILE... make together.

    What follows -- are the arguments the program is started with.
    """
    if report is not None:
        from threadproof.cli.report import require_folder

        require_folder(report)
    evidence_files.require()
    wanted = parse_properties(properties or ("unreach-call",))
    if json_file not in (None, "-"):
        require_writable(json_file)
    undefined = "pure" if any(text.endswith(".prp") for text in properties) else "unknown"  # as SV-COMP says
    frontend = reading.options(undefined)
    json_lines = asked.pop("json_lines")
    if json_lines and json_file == "-":
        raise InputError("--json-lines writes to stdout, and so does --json -: give --json a file")
    with caching(asked["cache"]):
        answers = _answers(files, wanted, frontend, asked, json_lines)
    answers = evidence_files.written(answers, files, frontend)
    if report is not None:
        from threadproof.cli.report import write_report

        where = write_report(report, answers, files, frontend)
        click.echo(f"report: {where}", err=True)
    inputs = {"files": list(files), "data_model": reading.data_model, "undefined": frontend.undefined.value}
    inputs |= {"volatile": reading.volatile} | ({} if reading.spurious is None else {"spurious": reading.spurious})
    inputs |= {"command": _command(files, wanted, frontend, asked)}
    if json_lines:
        from threadproof.cli.progress import line_of_answer

        for answer in answers:
            sys.stdout.write(line_of_answer(answer) + "\n")
        code = deliver(answers, json_file, inputs, full, quiet=True)
    else:
        code = deliver(answers, json_file, inputs, full)
    interrupted = any(one.reason.startswith("interrupted") for one in answers)
    return ExitCode.INTERRUPTED if interrupted and code != ExitCode.FALSE else code


def _options(frontend: FrontendOptions, asked: dict[str, Any]) -> VerifyOptions:
    from threadproof import portfolio

    return portfolio.VerifyOptions(
        engine=asked["engine"],
        frontend=frontend,
        timeout=max(0.1, asked["timeout"] - startup.seconds),  # of the whole command
        memory_mb=asked["memory_limit"],
        seed=asked["seed"],
        memory_model=MemoryModel(asked["memory_model"]),
        rarity_s=RARITY_S if (sys.stdout.isatty() if asked["rarity"] is None else asked["rarity"]) else 0.0,
        telling_s=TELLING_S if sys.stdout.isatty() else 0.25,
        cache=portfolio.VerdictCache.ON if asked["cache"] else portfolio.VerdictCache.OFF,
        of_engine={name: asked[name] for name in option_names() if asked[name] not in (None, "")},
    )


def _command(
    files: Sequence[str], wanted: Sequence[Property], frontend: FrontendOptions, asked: dict[str, Any]
) -> list[str]:
    """The command lines that repeat the run, one per property."""
    options = _options(frontend, asked)
    limits = f" --timeout {asked['timeout']:g}" + (f" --memory-limit {m}" if (m := asked["memory_limit"]) else "")
    return [options.command(files, prop, options.engine).replace(" --seed", f"{limits} --seed", 1) for prop in wanted]


def _answers(
    files: Sequence[str],
    wanted: Sequence[Property],
    frontend: FrontendOptions,
    asked: dict[str, Any],
    json_lines: bool = False,
) -> list[Answer]:
    from threadproof import portfolio
    from threadproof.cli.progress import LastWord, observing

    options = _options(frontend, asked)
    started, last = time.monotonic(), LastWord()
    try:
        with observing(last, json_lines, asked["timeout"]) as observer:
            found = portfolio.verify(files, wanted, options, Meanwhile(observer))
    except KeyboardInterrupt as interrupt:
        known: tuple[Answer, ...] = getattr(interrupt, "answers", ())
        each = (time.monotonic() - started) / len(wanted)
        reason = f"interrupted; {last.said}" if last.said else "interrupted"
        rest = [
            Answer(one, Verdict.UNKNOWN, options.engine, reason=reason, wall_s=each) for one in wanted[len(known) :]
        ]
        return [*known, *rest]
    return [with_limits(one, asked["timeout"], asked["memory_limit"], len(wanted)) for one in found]


class Meanwhile:
    """While the worker reads the program, this process imports what will print its answer."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def progress(self, what: str, **figures: float) -> None:
        self._observer.progress(what, **figures)
        import threadproof.report.terminal  # pyright: ignore[reportUnusedImport]  # noqa: F401


def deliver(
    answers: Sequence[Answer], json_file: str | None, inputs: dict[str, Any], full: bool = False, quiet: bool = False
) -> int:
    """Writes the answers where they were asked for. A reader who left early does not change the exit code."""
    from threadproof.report.json_report import report, worst

    if json_file not in (None, "-"):
        write_text(json_file, _json(report(answers, inputs)))
    try:
        if json_file == "-":
            sys.stdout.write(_json(report(answers, inputs)))
        elif not quiet:
            from threadproof.report.lanes import Amount
            from threadproof.report.terminal import print_answers

            print_answers(answers, Amount.FULL if full else Amount.WHAT_MATTERS)
        sys.stdout.flush()
    except BrokenPipeError:
        forget_stdout()
    return OF_VERDICT[worst(answers)]


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False, default=str) + "\n"
