"""Labels of single threads, whatever the others do meanwhile and however many there are: found from nothing upwards.

`engines/modular` proves programs with them, `engines/trace` what goes right in single threads. Nothing is believed
because of what is found here: `evidence/proofs/modular.py` checks it.
"""
