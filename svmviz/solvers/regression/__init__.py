"""Pegasos for regression."""
