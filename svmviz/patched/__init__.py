"""What reaches into the insides of other packages, and only that. Each file says what it needs and
of which version, and what happens without it; its test in `tests/patched` says what broke when a
newer version changes that.
"""
