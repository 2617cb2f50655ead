"""Measurements of the running app against its budgets, and of solvers against a paper, one command each:

    python -m benchmarks.player
    python -m benchmarks.data
    python -m benchmarks.sessions
    python -m benchmarks.figure2
    python -m benchmarks.table3
    python -m benchmarks.table4
    python -m benchmarks.sweeps

They judge but never fail: figures depend on the machine, so run them on one that does nothing else.
"""
