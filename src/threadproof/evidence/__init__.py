"""Checks what engines claim, trusting none of them: replay of schedules, checks of proofs, runs against them.

May import: core, ir, sync, analysis.points_to, automaton, semantics, smt, encoding.
"""

from threadproof.evidence.replay import replay_schedule
from threadproof.evidence.shorten import shorten

__all__ = ["replay_schedule", "shorten"]
