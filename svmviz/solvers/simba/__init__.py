"""SIMBA: the `solver`, what it says (`story`), and what it stands on.

Features are drawn by weight (`tree`), examples are sorted by weight in blocks (`deck`, a `single`
card of it, `dealing` all of them), the slack lies on the largest weights (`weights`). The
iterations themselves (`loop`) each cost one row and one column. What a w is worth is told by
`judge`, and `optimum` finds the one that is worth most.
"""
