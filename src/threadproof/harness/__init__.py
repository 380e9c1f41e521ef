"""Counterexamples on real threads: C that steers the original program, compiled with gcc, along a schedule.

May import: core, ir, sync, semantics, evidence, witness. See docs/howto/harness.md.
"""

from threadproof.harness.files import write_harness

__all__ = ["write_harness"]
