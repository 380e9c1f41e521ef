"""The only place that knows pthread, C11 threads, semaphores and `__VERIFIER_*`.

`table.py` says for every C library function what a call means (`Row`), `operations.py` what each synchronisation
operation does (`Operation`: data that `semantics` evaluates, `codegen` prints as C and `encoding` turns into terms),
`facts` what follows from that for analyses and engines. May import: core, ir.
"""
