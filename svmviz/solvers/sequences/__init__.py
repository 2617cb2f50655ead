"""Pegasos for sequences."""
