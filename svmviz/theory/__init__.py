"""What is promised, and what is exact: a bound for each theorem, the optimum with its certificate,
the Pareto front.
"""
