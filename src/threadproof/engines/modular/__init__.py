"""A prover for any number of threads: what holds of each thread by itself, whatever the others do meanwhile.

Labels of single threads are found by abstract interpretation, with what locks protect, and checked by
`evidence/proofs/modular.py`.
"""

from threadproof.engines.modular.engine import check

__all__ = ["check"]
