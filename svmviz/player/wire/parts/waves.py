"""Random waves cos <v, x>, sin <v, x> for the player: their directions v, or where these have far
more numbers than there are examples, all that the stage asks of them: the phase at every example
and on the plane, and the length of v.
"""

import numpy as np

from svmviz.data.projection import Plane
from svmviz.player.wire.packing import exact
from svmviz.player.wire.part import Part
from svmviz.record.trace import Trace
from svmviz.solvers import fourier


def columns(trace: Trace, plane: Plane) -> dict[str, np.ndarray]:
    """The arrays of all segments, one after the other."""
    problem, drawn = (
        trace.problem,
        [fourier.waves(trace.problem.d, s.params) for s in trace.segments],
    )
    if 2 * problem.n >= problem.d:
        return {"waves": exact(np.concatenate([V.ravel() for V in drawn]))}
    on_plane = np.vstack([plane.origin, plane.basis]).T
    return {
        "wave_phase": np.concatenate([np.asarray(problem.X @ V.T).ravel() for V in drawn]),
        "wave_plane": np.concatenate([(V @ on_plane).ravel() for V in drawn]),
        "wave_length": np.concatenate([np.linalg.norm(V, axis=1) for V in drawn]),
    }


PART = Part(look=columns, segment=lambda trace, params: {"waves": params["features"]})
