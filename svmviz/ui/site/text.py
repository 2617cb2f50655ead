"""Markdown and formulas as HTML that needs no script: what Streamlit's own page does in the
browser.

>>> html("**Half** of $n$").replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
'<p><strong>Half</strong> of <math display="inline"><mrow><mi>n</mi></mrow></math></p>'
"""

import re

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

TONED = re.compile(r":(small|gray)\[([^][]*)\]")  # Streamlit's own words for how a text looks
UNDER = re.compile(r"\\(max|min)_")  # what is maximised over stands below it


def formula(tex: str, display: bool = False) -> str:
    """As MathML, which browsers draw and read aloud by themselves."""
    display = display or tex.lstrip().startswith(r"\displaystyle")
    tex = tex.replace(r"\displaystyle", "")
    made = convert(
        UNDER.sub(r"\\\1\\limits_", tex) if display else tex,
        display="block" if display else "inline",
    )
    return made.replace(r">\{<", ">{<").replace(
        r">\}<", ">}<"
    )  # braces that are made larger keep their backslash


def _reader() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    renderer = lambda tex, options: formula(tex, options["display_mode"])  # noqa: E731
    return made.use(dollarmath_plugin, renderer=renderer, allow_space=True, double_inline=True)


READER = _reader()


def html(text: str) -> str:
    """Of a text as `st.markdown` takes it; tags in it are text.

    >>> html(":gray[**B** :small[of them]]")
    '<p><span class="gray"><strong>B</strong> <span class="small">of them</span></span></p>'
    """
    made = READER.render(text).strip()
    while (toned := TONED.sub(r'<span class="\1">\2</span>', made)) != made:
        made = toned
    return re.sub(
        r'<(?:div|span|eqn)[^>]*class="math[^>]*>(.*?)</(?:div|span|eqn)>',
        r"\1",
        made,
        flags=re.DOTALL,
    )


def inline(text: str) -> str:
    """Of a label: no paragraph around it.

    >>> inline("the *last* iterate")
    'the <em>last</em> iterate'
    """
    return READER.renderInline(text).strip()
