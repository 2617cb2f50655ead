"""A fixed walk of 300 actions through the app; `make walk` goes on from there."""

from tests.conftest import SERVER_LOG
from tests.walk import Walker


def test_whatever_a_visitor_does_everything_holds(request, browser, server):
    walker = Walker(browser, server, request.config.stash[SERVER_LOG], seed=1)
    walker.walk(300)
    walker.close()
