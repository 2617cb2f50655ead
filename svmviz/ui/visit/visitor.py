"""What a visitor of the Playground is looking at: what the address asks for, or what the player
said since.
"""

from svmviz.run.visit.after import Visit
from svmviz.run.visit.events import Arrived, Link, Returned, View
from svmviz.ui.visit.address import asked, doubled, went_back
from svmviz.ui.visit.session import happened, report, visit


def current(returned: bool) -> Visit:
    """The visit with a new recipe where the address leads to one, else seen where the player says
    that it is, or where a visitor left it who returned from another page.
    """
    view, query = report("stage"), asked()
    if view is not None and view != visit().reported:
        happened(View(view))
    if visit().leads(query, returned, went_back()):
        return happened(Link(query, tuple(doubled())), Arrived("stage", query))
    return happened(Returned(), Arrived("stage", query)) if returned else visit()
