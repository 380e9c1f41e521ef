"""The machine's side of the comparison: `evidence/letters`, by the names of the walks."""

from threadproof.evidence.letters import LetterFollower as Follower
from threadproof.evidence.letters import LetterMade as Made
from threadproof.evidence.letters import OffTheAutomaton as Different

__all__ = ["Different", "Follower", "Made"]
