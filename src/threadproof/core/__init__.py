"""Words everyone uses: properties, results, source positions, thread identities, schedules, traces, budgets.

May import: the standard library only.
"""
