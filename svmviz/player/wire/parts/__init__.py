"""How records of each kind travel."""

from svmviz.player.wire import rivals
from svmviz.player.wire.part import Part
from svmviz.player.wire.parts import classes, path, stream, table, twins, waves

PARTS = {  # by the kind of record
    "": Part(),
    "slots": table.PART,
    "arrivals": stream.PART,
    "waves": waves.PART,
    "estimates": rivals.PART,
    "scores": classes.PART,
    "path": path.PART,
    "twins": twins.PART,
    "chains": classes.CHAINS,
}
