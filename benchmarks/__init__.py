"""Measurements of the running app against its budgets, one command each:

    python -m benchmarks.player
    python -m benchmarks.data
    python -m benchmarks.sessions

They judge but never fail: figures depend on the machine, so run them on one that does nothing else.
"""
