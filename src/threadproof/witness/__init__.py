"""SV-COMP witnesses: written from counterexamples, read from any tool, held against the published rules, followed.

May import: core, ir, sync, semantics, evidence, simulate. See docs/howto/witnesses.md.
"""
