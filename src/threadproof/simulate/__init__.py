"""The simulator: a session over the reference semantics, its commands, its view, and two front ends.

May import: core, ir, sync, semantics, evidence, report.
"""
