"""One folder per engine, each with `check(task, budget, observer) -> Result`; engines never import each other.

May import: everything above (not evidence, portfolio, report, cli).
"""
