"""Which engines run, within which limits, and what their results come to once the evidence was checked.

May import: engines, evidence, and all above them.
"""

from threadproof.portfolio.options import VerdictCache, VerifyOptions
from threadproof.portfolio.prepare import prepare
from threadproof.portfolio.verify import verify

__all__ = ["VerdictCache", "VerifyOptions", "prepare", "verify"]
