"""From a seed or from bytes to a `Problem`: generated, bundled and uploaded data, and the
parameters that describe them.
"""
