"""Two support vectors that become one, on the line through both: what is lost for every place of z,
by looking at all of them.

The heavier vector n lies at 0, m at the distance r, in units of the kernel's width 1/√γ (with the
Laplacian kernel 1/γ). Losses are in units of |a_m|², which is what removing m would lose.
"""

from typing import NamedTuple

import numpy as np

KERNELS = {
    "Gaussian": lambda r: np.exp(-r * r),
    "Laplacian": lambda r: np.exp(-abs(r)),
    "inverse multiquadric": lambda r: 1.0 / np.sqrt(1.0 + r * r),
}
REACH, FINE = 4.0, 16_001  # how far z is looked for beyond both, and at how many places


class Line(NamedTuple):
    z: np.ndarray  # places
    lost: np.ndarray  # there, with the best coefficient for each
    best: float  # z that loses least
    least: float  # what it loses
    projected: float  # what z = n loses, m projected on n
    k: float  # K(x_m, x_n)

    def h(self, r: float) -> float:
        """The best z as the paper writes it, h x_m + (1 - h) x_n."""
        return self.best / r


def along(kernel: str, same: bool, r: float, ratio: float) -> Line:
    """For |a_m| / |a_n| = ratio <= 1, of the same sign or of opposite ones.

    >>> line = along("Gaussian", True, 1.0, 1.0)
    >>> round(line.best, 2), round(line.least, 3)
    (0.5, 0.31)
    >>> round(along("Gaussian", False, 0.01, 1.0).best, 2)  # h = -70, one standard deviation away
    -0.7
    """
    K, a_n = KERNELS[kernel], (1.0 if same else -1.0) / ratio
    z = np.unique(np.r_[np.linspace(-REACH, r + REACH, FINE), 0.0, 0.5 * r, r])
    k, gained = float(K(r)), (K(z - r) + a_n * K(z)) ** 2
    lost = np.maximum(0.0, 1.0 + a_n * a_n + 2.0 * a_n * k - gained)
    at = int(lost.argmin())
    return Line(z, lost, float(z[at]), float(lost[at]), 1.0 - k * k, k)
