"""Checks what engines claim, trusting none of them: replay of schedules, runs against proofs.

May import: core, ir, sync, semantics, analysis.points_to.
"""

from threadproof.evidence.replay import replay_schedule
from threadproof.evidence.shorten import shorten

__all__ = ["replay_schedule", "shorten"]
