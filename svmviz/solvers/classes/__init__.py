"""Pegasos for several classes: the `solver`, what it says (`words`), and what its `losses` ask of
the data.
"""
