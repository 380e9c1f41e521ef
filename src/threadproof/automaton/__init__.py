"""The program as an automaton: threads of locations and letters, thread templates and their instances.

Frozen values that know no engine; `docs/algorithms/automaton.md` explains the words. May import: ir, sync, analysis.
"""

from threadproof.automaton.facts import CannotUnfold
from threadproof.automaton.if_conversion import FillingLoops, for_letters
from threadproof.automaton.letters import End, Kind, Letter, LetterPhase, Location, Step, StepMover
from threadproof.automaton.program import Instance, LetterSize, Places, ProgramAutomaton, program_automaton
from threadproof.automaton.threads import ThreadAutomaton

__all__ = [
    "CannotUnfold",
    "End",
    "FillingLoops",
    "Instance",
    "Kind",
    "Letter",
    "LetterPhase",
    "LetterSize",
    "Location",
    "Places",
    "ProgramAutomaton",
    "Step",
    "StepMover",
    "ThreadAutomaton",
    "for_letters",
    "program_automaton",
]
