"""The CSS class of an element's key, as the browser's side of Streamlit writes it.

Needs: Streamlit 1.39 or later, where an element with a key has such a class.
Without it: a slider that is dragged shows no preview, and pages lose the rules that name a key.
"""

import re


def key_class(key: str | None) -> str | None:
    """Return the CSS class of the element with this key; None without a key.

    >>> key_class("figure.sbp.0")
    'st-key-figure-sbp-0'
    """
    return "st-key-" + re.sub("[^a-zA-Z0-9_-]", "-", key.strip()) if key else None
