"""A data set in the size of a stamp: circles and diamonds where the stage would draw them."""

import numpy as np

from svmviz.planes import Plane
from svmviz.views.theme import Theme

WIDTH, HEIGHT, RADIUS, MOST = 220, 150, 2.6, 300


def thumbnail(problem, plane: Plane, theme: Theme) -> str:
    """The picture as SVG. It holds numbers only, no text of anybody's."""
    points = plane.project(problem.X)[:MOST]
    low, high = points.min(axis=0), points.max(axis=0)
    unit = max((high - low) / (WIDTH - 20, HEIGHT - 20))
    x, y = ((points - (low + high) / 2) / (unit or 1.0) * (1, -1) + (WIDTH / 2, HEIGHT / 2)).T
    positive = problem.y[:MOST] > 0
    circles = "".join(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{RADIUS}"/>' for a, b in np.c_[x, y][positive])
    d = 1.22 * RADIUS
    outline = f"l{d:.1f} {d:.1f}-{d:.1f} {d:.1f}-{d:.1f}-{d:.1f}z"
    diamonds = "".join(f"M{a:.1f} {b - d:.1f}{outline}" for a, b in np.c_[x, y][~positive])
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
            f'<g fill="{theme.plus}">{circles}</g><path fill="{theme.minus}" d="{diamonds}"/></svg>')
