"""What SIMBA stands on: features drawn by weight (`tree`), examples sorted by weight in blocks (`deck`, a `single` card of it,
`dealing` all of them), their weights with the slack on the largest (`weights`), and the iterations themselves (`loop`), each at
the price of one row and one column; what a w is worth (`judge`), and the w that is worth most (`optimum`).
"""
