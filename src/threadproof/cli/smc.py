"""`threadproof smc`: how likely is a behaviour?"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from threadproof.cli.main import ExitCode, forget_stdout
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
from threadproof.core.files import require_readable

if TYPE_CHECKING:
    from threadproof.core.estimate import Estimate
    from threadproof.engines.smc.options import SmcOptions, SplittingOptions

_POSITIVE = click.IntRange(min=1)


@click.command(context_settings=CONTEXT)
@files_argument
@click.option("--query", "-q", metavar="Q", required=True, help="The question, or @FILE that holds it.")
@click.option("--confidence", metavar="C", type=float, default=0.95, show_default=True, help="Of the interval.")
@click.option("--width", metavar="W", type=float, help="Sample until the interval is no wider. [default: 0.01]")
@click.option("--runs", metavar="N", type=_POSITIVE, help="Make exactly so many runs.")
@click.option("--steps", metavar="N", type=click.IntRange(min=0), help="Steps per run, instead of the query's.")
@click.option(
    "--seed", metavar="N", type=int, default=0, show_default=True, help="A run is a function of seed and number."
)
@click.option(
    "--jobs",
    metavar="N",
    type=_POSITIVE,
    default=1,
    show_default=True,
    help="Processes, no more than cores; changes no result.",
)
@click.option("--timeout", metavar="S", type=Seconds(), help="Say what is known by then.")
@click.option("--memory-limit", metavar="MB", type=_POSITIVE, help="Say what is known when this is used.")
@click.option(
    "--estimator",
    type=click.Choice(("auto", "sequential", "fixed", "okamoto")),
    default="auto",
    show_default=True,
    help="auto: sequential Clopper-Pearson, or fixed with --runs.",
)
@click.option(
    "--indifference", type=float, default=0.01, show_default=True, help="Half-width around p of Pr(...) >= p."
)
@click.option("--compare", "other", metavar="FILE", help="Estimate the difference to this program.")
@click.option("--splitting", type=click.Choice(("fixed", "adaptive")), help="Importance splitting, for rare events.")
@click.option("--score", metavar="EXPR|FILE", default="", help="How near a state is; a .toml FILE holds an observer.")
@click.option("--levels", metavar="L,L,...", default="", help="Scores, or formulas separated by ';' without --score.")
@click.option("--budget", metavar="N", type=_POSITIVE, default=1000, show_default=True, help="Runs a level.")
@click.option("--repeat", metavar="K", type=_POSITIVE, default=10, show_default=True, help="Repetitions of splitting.")
@click.option("--keep", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.9, show_default=True,
              help="Adaptive splitting: fraction of the runs a level keeps.")  # fmt: skip
@click.option("--platform", metavar="FILE", help="A platform module, or the name of one that comes along (ptrace).")
@click.option(
    "--machine",
    type=click.Choice(("auto", "native", "reference")),
    default="auto",
    show_default=True,
    help="What executes the runs.",
)
@click.option(
    "--device",
    type=click.Choice(("cpu", "gpu", "auto")),
    default="cpu",
    show_default=True,
    help="Where native runs are made; changes no result. auto: on the NVIDIA GPU, if there is one that can.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Make the runs on a cluster: of a dask scheduler, or local:N for N workers; changes no result.",
)
@click.option("--no-cache", is_flag=True, help="Use no compiled machines from before.")
@click.option("--plot", metavar="FILE", help="Draw convergence and histogram as SVG.")
@click.option("--report", metavar="DIR", help="Write a page to look at: the estimate, its charts, the source.")
@click.option("--csv", metavar="FILE", help="Write the values, or the running interval.")
@click.option("--json", "json_file", metavar="FILE|-", help="Write the estimate as JSON; - is stdout alone.")
@reading_options
def smc(files: tuple[str, ...], query: str, json_file: str | None, reading: Reading, **asked: Any) -> int:
    """Estimate how likely FILE... behaves as the query says.

    \b
    Pr[<=N] (<> b)                 b holds within N steps
    Pr[<=N] ([] b)                 b holds for N steps
    Pr[<=N] (a U b)                a holds until b does, within N steps
    Pr[<=N] (<> b) >= p            is it at least that likely?
    Estimate [<=N,R] {max e}       the mean of the largest e over R runs (or min, avg)
    EnumStatesSMC <=N R            distinct states met in R runs

    In b and e, division by zero is 0, and a variable that does not exist now is 0.

    A step is one LLVM instruction of a thread chosen uniformly among those that can move.

    Exit code: 0 an estimate or an answer, be it yes or no; 2 sampling ended before that, or every run met something
    unsupported; 3 unusable input or options; 4 internal error.
    """
    for file in (asked["plot"], asked["csv"], None if json_file == "-" else json_file):
        if file is not None:
            require_writable(file)
    if asked["report"] is not None:
        from threadproof.cli.report import require_folder

        require_folder(asked["report"])
    text = _query(query)
    options = _options(asked, reading)
    with caching(False if asked["no_cache"] else None):
        made = _made(files, text, asked["other"], options)
    if asked["report"] is not None:
        from threadproof.cli.report import write_estimate

        write_estimate(asked["report"], made, files)
    return deliver(made, json_file, asked["plot"], asked["csv"], {"files": list(files), "seed": options.seed})


def _query(text: str) -> str:
    if not text.startswith("@"):
        return text
    try:
        require_readable(text[1:])
        with open(text[1:], encoding="utf-8") as file:
            return file.read().strip()
    except InputError as error:
        raise InputError(f"{error}: --query @FILE reads the query from a file, --query 'Pr[...] ...' is one") from None
    except UnicodeDecodeError:
        raise InputError(f"{text[1:]} holds no query: it is not text in UTF-8") from None


def _made(files: tuple[str, ...], query: str, other: str | None, options: SmcOptions) -> Estimate:
    from threadproof.cli.progress import observing
    from threadproof.portfolio.estimate import compare, estimate

    with observing() as observer:
        if other is None:
            return estimate(files, query, options, observer)
        require_readable(other)
        return compare(files, [other], query, options, observer)[2]


def _options(asked: dict[str, Any], reading: Reading) -> SmcOptions:
    from threadproof.codegen.device.choice import DeviceChoice
    from threadproof.engines.smc.options import EstimationMethod, SamplingMachine, SmcOptions

    return SmcOptions(
        confidence=asked["confidence"],
        width=asked["width"],
        runs=asked["runs"],
        steps=asked["steps"],
        seed=asked["seed"],
        jobs=asked["jobs"],
        method=EstimationMethod(asked["estimator"]),
        indifference=asked["indifference"],
        timeout=asked["timeout"],
        memory_mb=asked["memory_limit"],
        machine=SamplingMachine(asked["machine"]),
        device=DeviceChoice(asked["device"]),
        cluster=asked["cluster"],
        platform=asked["platform"],
        splitting=_splitting(asked),
        frontend=reading.options(),
    ).check()


def _splitting(asked: dict[str, Any]) -> SplittingOptions | None:
    from threadproof.engines.smc.options import SplittingKind, SplittingOptions

    if asked["splitting"] is None:
        if asked["score"] or asked["levels"]:
            raise InputError("--score and --levels go with --splitting fixed or --splitting adaptive")
        return None
    separator = "," if asked["score"] else ";"
    levels = tuple(level.strip() for level in asked["levels"].split(separator) if level.strip())
    return SplittingOptions(
        SplittingKind(asked["splitting"]), asked["score"], levels, asked["budget"], asked["repeat"], asked["keep"]
    )


def deliver(made: Estimate, json_file: str | None, plot: str | None, csv: str | None, inputs: dict[str, Any]) -> int:
    from threadproof.report.smc_report import to_csv, to_json, to_text

    data = json.dumps(to_json(made, inputs), indent=2, ensure_ascii=False) + "\n"
    if json_file not in (None, "-"):
        write_text(json_file, data)
    if csv is not None:
        write_text(csv, to_csv(made))
    if plot is not None:
        from threadproof.report.plots import draw

        write_text(plot, draw(made))
    try:
        sys.stdout.write(data if json_file == "-" else to_text(made))
        sys.stdout.flush()
    except BrokenPipeError:
        forget_stdout()
    return ExitCode.UNKNOWN if made.reason or made.undecided == made.runs else ExitCode.TRUE
