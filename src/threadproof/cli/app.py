"""The click application: its commands, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

import click

from threadproof import __version__
from threadproof.cli import settings

_COMMANDS: dict[str, tuple[str, str]] = {
    "verify": ("threadproof.cli.verify", "Check properties of a program: true, false or unknown."),
    "smc": ("threadproof.cli.smc", "Estimate the probability of a behaviour."),
    "simulate": ("threadproof.cli.simulate", "Step through a program by hand."),
    "sequentialize": ("threadproof.cli.sequentialize", "Write a sequential C program with the same behaviours."),
    "replay": ("threadproof.cli.replay", "Run a counterexample again and show it."),
    "check-proof": ("threadproof.cli.proofs", "Check a proof that verify --proof wrote."),
    "sweep": ("threadproof.cli.sweep", "Ask about many programs at once, and compare with another time."),
    "stubs": ("threadproof.cli.stubs", "Write C for what a program uses and does not define."),
    "show": ("threadproof.cli.show", "Print a stage on the way from C to the automaton."),
    "completion": ("threadproof.cli.completion", "Print what a shell needs to complete commands and options."),
}


class Commands(click.Group):
    """A group whose commands are modules: `--help` reads the table above and imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        found = getattr(import_module(_COMMANDS[cmd_name][0]), cmd_name.replace("-", "_"))
        assert isinstance(found, click.Command)
        ctx.default_map = {**(ctx.default_map or {}), cmd_name: settings.defaults(found, cmd_name)}
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in _COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in _COMMANDS:
            raise click.UsageError(f"no command '{args[0]}': choose one of {', '.join(_COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="threadproof %(version)s")
@click.option("--debug", is_flag=True, expose_value=False, help="Show where an internal error happened.")
def app() -> None:
    """Verify multi-threaded C programs.

    For every property the answer is true with a proof, false with an interleaving that replays, or unknown
    with the reason. Exit code: 0 true, 1 false, 2 unknown, 3 unusable input or options, 4 internal error,
    130 interrupted.
    """
