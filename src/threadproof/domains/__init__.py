"""Abstract domains over terms: sets of states that are cheap to join, compare and move along a transition.

`interface` is what each of them offers; `equations` (over `howell`), `box` (of `intervals` or `small_sets`) and
`literals` are the domains, `by_models` weakens any of them until a formula implies it. May import: core, ir, smt.
"""
