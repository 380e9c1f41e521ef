"""`threadproof sweep`: many programs and properties at once, with results in a file that a kill does not lose."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from threadproof.cli.main import ExitCode
from threadproof.cli.options import CONTEXT, Seconds, require_writable, write_text
from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import parse_properties
from threadproof.core.words import words_of

if TYPE_CHECKING:
    from threadproof.core.property import Property
    from threadproof.sweep.store import SweepRow
    from threadproof.sweep.summary import SweepDifference, SweepSummary
    from threadproof.sweep.tasks import SweepTask

MOST_NAMED = 12
"""Rows that are printed by name; files have all."""


@click.command(context_settings=CONTEXT)
@click.argument("what", metavar="WHAT...", nargs=-1)
@click.option(
    "--results", metavar="FILE", default="sweep.db", show_default=True, help="An SQLite file, made or continued."
)
@click.option(
    "--property", "-p", "properties", metavar="NAME_OR_PRP", multiple=True, help="Only these; may be repeated."
)
@click.option(
    "--jobs", "-j", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help="Tasks at a time."
)
@click.option("--cluster", metavar="ADDRESS", help="Tasks are asked by workers: of a dask scheduler, or local:N.")
@click.option("--timeout", metavar="S", type=Seconds(), default=60.0, show_default=True, help="Of each task.")
@click.option("--memory-limit", metavar="MB", type=click.IntRange(min=1), help="Of each task.")
@click.option(
    "--options", "words", metavar="TEXT", default="", help="Options of verify for all of them: '--engine bmc'."
)
@click.option("--against", metavar="FILE", help="Compare with the results of another sweep.")
@click.option("--export", "exports", metavar="FILE", multiple=True, help="Write the rows: .csv, .json or .html.")
def sweep(
    what: tuple[str, ...],
    results: str,
    properties: tuple[str, ...],
    jobs: int,
    cluster: str | None,
    timeout: float,
    memory_limit: int | None,
    words: str,
    against: str | None,
    exports: tuple[str, ...],
) -> int:
    """Ask about many programs; what is known already is not asked again.

    WHAT is a folder, a C file, a task definition (.yml) or set (.set) of SV-COMP, a table (.csv), or a
    compile_commands.json, whose files with a main are programs of their own. Without WHAT, the results that
    there are are shown, compared and written. Exit code 1 if a verdict is wrong or contradicts the other sweep,
    otherwise 4 if there was an internal error.
    """
    from threadproof.sweep.export import FORMATS, as_text
    from threadproof.sweep.runner import HowToAsk
    from threadproof.sweep.session import swept
    from threadproof.sweep.store import read

    for file in exports:
        if os.path.splitext(file)[1] not in FORMATS:
            raise InputError(f"--export {file}: its name ends with none of {', '.join(FORMATS)}")
        require_writable(file)
    other = None if against is None else (os.path.basename(against), read(against))
    if what:
        wanted = parse_properties(properties)
        jobs_from = click.get_current_context().get_parameter_source("jobs")
        if cluster is not None and jobs_from is ParameterSource.COMMANDLINE:
            raise InputError("--jobs does not go with --cluster, whose workers share the tasks (local:N has N)")
        tasks = [task for one in what for task in _tasks(one, wanted)]
        options = _options_of_verify(words, tasks[0].files[0]) if words and tasks else ()
        if cluster is not None:
            from threadproof.cluster.connect import check_address

            check_address(cluster)
        progress = _Progress(len(tasks))
        how = HowToAsk(options, timeout, memory_limit, jobs)
        rows = swept(tasks, how, results, cluster, progress.begun, progress.tell)
    else:
        rows = read(results)
    title = os.path.basename(results)
    for file in exports:
        write_text(file, as_text(rows, os.path.splitext(file)[1], title, other))
    return _tell(rows, other)


def _options_of_verify(text: str, file: str) -> tuple[str, ...]:
    """Options for all tasks: what `verify` would refuse of each is refused at once."""
    from threadproof.cli.compile_lines import as_ours
    from threadproof.cli.verify import verify
    from threadproof.engines.rows import check_options, option_names
    from threadproof.portfolio.engines import require_engine, require_model

    words = words_of(text, "--options")
    try:
        asked = verify.make_context("verify", [file, *as_ours(words)]).params
        if asked["files"] != (file,):
            raise InputError(f"it names another file, {asked['files'][-1]}")
        require_engine(asked["engine"])
        require_model(asked["engine"], MemoryModel(asked["memory_model"]))
        check_options(asked["engine"], {name: asked[name] for name in option_names() if asked[name] not in (None, "")})
    except (click.UsageError, InputError) as error:
        said = error.format_message() if isinstance(error, click.UsageError) else str(error)
        raise InputError(f"--options '{text}': {said.rstrip('.')}") from None
    return tuple(words)


def _tasks(word: str, wanted: Sequence[Property]) -> list[SweepTask]:
    from pathlib import Path

    from threadproof.cli.compile_lines import DATABASE, units_of_database
    from threadproof.sweep.tasks import has_main, of_unit, tasks_of

    if os.path.basename(word) != DATABASE:
        return tasks_of(word, wanted)
    units = [(file, flags) for file, flags in units_of_database(word) if has_main(Path(file))]
    return [task for file, flags in units for task in of_unit(file, (file,), wanted, flags)]


class _Progress:
    """A line per row, with the time that the rest will take if it is like what was asked so far."""

    def __init__(self, tasks: int) -> None:
        self._tasks, self._left, self._done = tasks, tasks, 0
        self._started = time.monotonic()

    def begun(self, left: int) -> None:
        self._left, self._started = left, time.monotonic()
        if left < self._tasks:
            click.echo(f"{self._tasks - left} of {self._tasks} tasks are known", err=True)

    def tell(self, row: SweepRow) -> None:
        self._done += 1
        rest = (time.monotonic() - self._started) / self._done * (self._left - self._done)
        at = self._tasks - self._left + self._done
        wrong = " WRONG" if row.is_wrong else ""
        about = f"{row.property} {row.task}"
        share = f"[{at}/{self._tasks}, {_time(rest)} left]"
        click.echo(f"{share} {row.verdict:7}{wrong} {row.wall_s:6.1f} s  {about}", err=True)
        sys.stderr.flush()


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def _tell(rows: Sequence[SweepRow], other: tuple[str, Sequence[SweepRow]] | None) -> int:
    from threadproof.sweep.summary import difference, summary

    found = summary(rows)
    _tell_summary(found)
    bad = bool(found.wrong)
    if other is not None:
        compared = difference(rows, other[1])
        _tell_difference(compared, other[0])
        bad |= bool(compared.contradicts)
    if bad:
        return ExitCode.FALSE
    return ExitCode.INTERNAL if found.broken else ExitCode.TRUE


def _tell_summary(found: SweepSummary) -> None:
    verdicts = "  ".join(f"{verdict} {count}" for verdict, count in sorted(found.verdicts.items()))
    click.echo(f"tasks {found.tasks}  {verdicts}  {found.seconds:,.0f} s")
    for reason, count in list(found.reasons.items())[:MOST_NAMED]:
        click.echo(f"  {count} x {reason or 'no reason'}")
    if found.best:
        share = 100 * found.score / found.best
        click.echo(
            f"right {found.right}  wrong {len(found.wrong)}  score {found.score} of {found.best} ({share:.1f} %)"
        )
    for row in found.wrong:
        click.echo(f"  wrong: {row.task} {row.property}: {row.verdict}, expected {row.expected} ({row.engine})")
    for row in found.broken[:MOST_NAMED]:
        click.echo(f"  a bug of Threadproof: {row.task} {row.property}: {row.reason}")


def _tell_difference(found: SweepDifference, name: str) -> None:
    counts = f"gained {len(found.gained)}  lost {len(found.lost)}  contradict {len(found.contradicts)}"
    ratio = "" if found.ratio is None else f"  time {found.ratio:.2f} of its"
    click.echo(f"against {name}: common {found.common}  {counts}{ratio}")
    for word, pairs in (("gained", found.gained), ("lost", found.lost), ("contradicts", found.contradicts)):
        for old, new in pairs[: MOST_NAMED if word != "contradicts" else None]:
            click.echo(f"  {word}: {new.task} {new.property}: {old.verdict} there, {new.verdict} here")
