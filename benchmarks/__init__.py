"""Measurements of the running app against its budgets, and of solvers against a paper, one command
each:

    python -m benchmarks.app.player
    python -m benchmarks.solvers.data
    python -m benchmarks.app.sessions
    python -m benchmarks.papers.figure2
    python -m benchmarks.papers.table3
    python -m benchmarks.papers.table4
    python -m benchmarks.solvers.sweeps

They judge but never fail: figures depend on the machine, so run them on one that does nothing else.
"""
