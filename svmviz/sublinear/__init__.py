"""What SIMBA stands on: drawing from weights that change (`tree`), the weights of the examples with the slack on the largest of
them (`weights`), and the iterations themselves (`loop`), each at the price of one row and one column.
"""
