"""Measurements of the running app against its budgets, and of solvers against a paper, one command
each:

    python -m benchmarks.app.player
    python -m benchmarks.solvers.data
    python -m benchmarks.app.sessions
    python -m benchmarks.papers.simba
    python -m benchmarks.solvers.sweeps

They judge but never fail: figures depend on the machine, so run them on one that does nothing else.
"""
