"""Fixed walks through the app, a short one and a longer one; `make walk` goes on from there."""

import pytest

from tests.conftest import SERVER_LOG
from tests.walk import Walker


@pytest.mark.always
@pytest.mark.parametrize(
    ("seed", "actions"),
    [(1, 12), *(pytest.param(seed, 100, marks=pytest.mark.long) for seed in range(2, 11))],
)
def test_whatever_a_visitor_does_everything_holds(request, browser, server, seed, actions):
    walker = Walker(browser, server, request.config.stash[SERVER_LOG], seed=seed)
    walker.walk(actions)
    walker.close()
