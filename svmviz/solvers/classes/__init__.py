"""Pegasos for several classes: the `solver`, what it says (`story`), and what its `losses` ask of
the data.
"""
