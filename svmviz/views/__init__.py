"""Pure functions from numbers to Plotly figures."""

# Plotly looks pandas up among the modules, also while another thread is still importing it, and
# then fails: it must be there before the first figure.
import pandas  # noqa: F401
