"""Which letters of two threads may change places, and in which order words of letters are preferred.

`Swaps.swap(a, b, given)` is the one independence relation of engines that reason with formulas; orders are values.
`docs/algorithms/independence.md` says precisely what the answers mean. May import: core, ir, sync, analysis, automaton,
smt, encoding.
"""

from threadproof.independence.answers import Always, Inclusion, LayerName, Never, SwapAnswer, When
from threadproof.independence.pairs import InstanceLetter, Keeps, SwapGoal
from threadproof.independence.swaps import Independence, Swaps

__all__ = [
    "Always",
    "Inclusion",
    "Independence",
    "InstanceLetter",
    "Keeps",
    "LayerName",
    "Never",
    "SwapAnswer",
    "SwapGoal",
    "Swaps",
    "When",
]
