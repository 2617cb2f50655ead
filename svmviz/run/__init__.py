"""A recipe becomes a run: from a link to a trace, from a source to a stream, and the Python that
repeats it.
"""
