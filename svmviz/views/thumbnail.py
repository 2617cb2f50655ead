"""A data set in the size of a stamp: the marks of the stage where it would draw them."""

import numpy as np

from svmviz.data.projection import Plane
from svmviz.views.theme import Theme

WIDTH, HEIGHT, RADIUS, MOST = 220, 150, 2.6, 300
ARC = f"m-{RADIUS} 0a{RADIUS} {RADIUS} 0 1 0 {2 * RADIUS} 0a{RADIUS} {RADIUS} 0 1 0-{2 * RADIUS} 0"
# of the classes, each from its middle: disc, diamond, square, triangle, and the same again from
# there
OUTLINES = (
    ARC,
    "m0-3.2l3.2 3.2-3.2 3.2-3.2-3.2z",
    "m-2.3-2.3h4.6v4.6h-4.6z",
    "m0-3.2l2.9 4.9h-5.8z",
    "m0 3.2l2.9-4.9h-5.8z",
)


def thumbnail(problem, plane: Plane, theme: Theme) -> str:
    """The picture as SVG. It holds numbers only, no text of anybody's."""
    points = plane.places(problem)[:MOST]
    low, high = points.min(axis=0), points.max(axis=0)
    units = (high - low) / (WIDTH - 20, HEIGHT - 20)
    unit = np.maximum(units, 1e-300) if problem.real and problem.d == 1 else max(units) or 1.0
    places = (points - (low + high) / 2) / unit * (1, -1) + (WIDTH / 2, HEIGHT / 2)
    labels = (
        np.where(problem.y[:MOST] > np.median(problem.y), 1, -1)
        if problem.real
        else problem.y[:MOST].astype(int)
    )
    kinds = (
        ((1, theme.plus), (-1, theme.minus)) if problem.classes <= 2 else enumerate(theme.classes)
    )
    drawn = []
    for (label, color), outline in zip(kinds, 2 * OUTLINES, strict=False):
        path = "".join(f"M{x:.1f} {y:.1f}{outline}" for x, y in places[labels == label])
        drawn.append(f'<path fill="{color}" d="{path}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        f' height="{HEIGHT}">{"".join(drawn)}</svg>'
    )
