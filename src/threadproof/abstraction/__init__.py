"""What engines that reason about values by assertions share: predicates, Hoare triples, infeasible paths and why.

| file | holds |
|---|---|
| `predicates.py`, `normal.py` | one object per predicate up to equivalence, with a number; conjunctions are bit sets |
| `triples.py` | `{P} letter {Q}`: yes, no or unsure, cheap tests first |
| `questions.py`, `samples.py`, `clashes.py`, `repair.py` | whether formulas can hold together, solver last |
| `path.py`, `trace_check.py` | paths of letters from the initial state: feasible with inputs, infeasible with a core |
| `sources/`, `eliminate.py`, `runs.py` | assertions along an infeasible path, several ways; none is trusted |
| `sequence.py` | the proof of such a sequence, and what of it is needed |
| `made_letters.py`, `letter_guide.py` | a feasible path as a schedule: the reference machine is led along its letters |
| `possible_path.py` | a feasible path to something that goes wrong, and what the machine says of it |
| `goals.py`, `product_proof.py` | what a product has to show; the proof |
| `membranes.py`, `dead_ends.py` | threads that move first; that sleep for ever |
| `labelled_product.py`, `labelled_proof.py` | the strongest labels of a reduced product; the proof |
| `label_values.py`, `label_parts.py` | what such labels can say: equations and literals |
| `state_samples.py` | states that labels have to admit |
| `alarms.py` | predicates from paths that labels do not exclude |
| `told_invariants.py` | labels in C |
| `names.py`, `liveness.py` | predicates in C with the program's names; registers that still matter |

docs/algorithms/abstraction.md explains the words. May import: core, ir, sync, analysis, automaton, semantics, codegen,
smt, domains, encoding, independence.
"""
