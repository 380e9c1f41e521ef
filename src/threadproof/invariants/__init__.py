"""Invariants of proofs in the program's own words: found in labels, proved again from their text, shown in the sources.

Nothing here is trusted for a verdict. What a proof says at a place is only a candidate: many proofs are about some
interleavings that stand for all. Candidates are written into the C text as checks, and what is said to hold is what
`verify` proves of that program.
"""
