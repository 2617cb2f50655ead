"""Compiled mathematics, and what else knows no solver: matrices, kernels, chance, water, limits."""
