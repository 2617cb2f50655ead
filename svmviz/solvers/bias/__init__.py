"""Pegasos with a bias."""
