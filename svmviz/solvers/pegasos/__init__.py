"""Pegasos."""
