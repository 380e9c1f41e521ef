"""Statistical model checking: the probability of a behaviour, estimated from random runs.

Paper: A. Legay, D. Nowotka, D. B. Poulsen, L.-M. Traonouez, Statistical Model Checking of LLVM Code, 2017 (Lodin with
Plasma-Lab). A run chooses uniformly among the active threads at every LLVM instruction.

query.lark, syntax, parse, resolve     the query language, from text to expressions over states
evaluate, paths                        expressions and path formulas over states of the reference semantics
sampler, reference, native             batches of runs, each a pure function of (seed, run number)
intervals, estimators                  what the runs say about the probability
splitting, observer                    rare events
platform                               environments: meaning of external functions, signals, probabilities
"""
