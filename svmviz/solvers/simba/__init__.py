"""SIMBA: the `solver`, what it says (`words`), and what it stands on.

Features are drawn by weight (`tree`), examples sorted by weight in blocks (`deck`, a `single` card of it, `dealing` all of them),
their weights with the slack on the largest (`weights`); then the iterations themselves (`loop`), each at the price of one row and
one column; what a w is worth (`judge`), and the w that is worth most (`optimum`).
"""
