"""What draws the figures in a browser, where no Streamlit brings it along."""

from plotly.offline import get_plotlyjs

from svmviz.views.theme import DARK, LIGHT


def plotly() -> bytes:
    return get_plotlyjs().encode()


def colours() -> dict[str, str]:
    """Those of dark pages by those of light ones, in lower case: a figure has no others.

    >>> colours()["#1b2430"]
    '#F1F4F8'
    """
    found: dict[str, str] = {}

    def add(light, dark) -> None:
        if isinstance(light, str):
            assert found.setdefault(light.lower(), dark) == dark, (
                f"{light} has two colours on dark pages"
            )
        else:
            for key in light if isinstance(light, dict) else range(len(light)):
                add(light[key], dark[key])

    add(LIGHT, DARK)
    return found
