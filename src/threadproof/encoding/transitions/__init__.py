"""Letters of the automaton as formulas: variables of a symbolic state, and what a letter does to them.

`Space` has the variables for a given number of thread instances, `Encoder` makes the `Transition` of a letter.
docs/algorithms/transitions.md explains the words.
"""

from threadproof.encoding.transitions.encoder import Encoder
from threadproof.encoding.transitions.space import Space
from threadproof.encoding.transitions.transition import Input, Transition, TransitionTrap, sequence

__all__ = ["Encoder", "Input", "Space", "Transition", "TransitionTrap", "sequence"]
