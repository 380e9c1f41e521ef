"""What a program uses that its files do not define: recorded while it is lowered, told with every verdict."""

from __future__ import annotations

from dataclasses import dataclass, field

from threadproof.core.source import SourceLoc
from threadproof.frontend.options import FrontendOptions
from threadproof.ir.program import Missing, Outside, Taken

# Whoever synchronises is never taken to change nothing; what belongs to another verifier has a meaning of its own.
_WITH_A_MEANING = (
    "pthread_",
    "sem_",
    "mtx_",
    "cnd_",
    "thrd_",
    "tss_",
    "call_once",
    "__atomic_",
    "__sync_",
    "__VERIFIER_",
    "__CPROVER_",
    "__ESBMC_",
)


def synchronises(name: str) -> bool:
    return name.startswith(_WITH_A_MEANING)


@dataclass(slots=True)
class Uses:
    """`missing` functions by name, functions of the `library` in the order met, `notes` for the user,
    what is `assumed` in words."""

    undefined: Taken
    assume_pure: frozenset[str]
    look_behind: bool = False  # go on behind calls that have no meaning, to see what else is missing
    missing: dict[str, Missing] = field(default_factory=dict[str, Missing])
    library: dict[str, None] = field(default_factory=dict[str, None])
    notes: dict[str, None] = field(default_factory=dict[str, None])
    assumed: dict[str, None] = field(default_factory=dict[str, None])

    @staticmethod
    def of(options: FrontendOptions) -> Uses:
        return Uses(options.undefined, frozenset(options.assume_pure))

    def call_of_missing(self, name: str, loc: SourceLoc) -> Taken:
        """Records the call; says what the function is taken to do."""
        taken = Taken.PURE if name in self.assume_pure else self.undefined
        if synchronises(name) and name not in self.assume_pure:
            taken = Taken.UNKNOWN
        known = self.missing.get(name)
        if known is None or (loc.line and not known.loc.line):
            self.missing[name] = Missing(name, taken, loc)
        return Taken.PURE if self.look_behind else taken

    def note(self, text: str) -> None:
        self.notes[text] = None

    def assume(self, text: str) -> None:
        self.assumed[text] = None

    def outside(self, variables: tuple[str, ...]) -> Outside:
        return Outside(tuple(self.missing.values()), variables, tuple(self.library), tuple(self.assumed))
