"""What a run leaves behind and how it is replayed: `Solver`, `Trace`, their metrics and
sentences.
"""
