"""A visitor who leaves, or moves on, ends his computations: on the real server, with clients that
speak its own protocol.

The server and its clients live in a process of their own (`python -m tests.ui.test_leaving`), so
that the test can look at what is being computed without asking the server for it.
"""

import asyncio
from contextlib import suppress
from pathlib import Path

from tests.tools import forked
from tests.tools.rotation import at_times

ROOT = Path(__file__).parents[2]
PATIENCE = 240  # seconds after which a test gives up
DEAR = "moons", {"n": 2000, "noise": 0.5}, "sbp", {"kernel": "rbf(gamma=5.0)", "nu": 0.0001}
CHEAP = "moons", {"n": 40}


@at_times()
def test_who_leaves_or_moves_on_ends_what_was_computed_for_him():
    """Until now the exact optimum of one link kept a core busy for two minutes, whoever had left,
    six of them six cores.
    """
    forked.run(
        "import runpy; runpy.run_module('tests.ui.test_leaving', run_name='__main__')",
        limit=2 * PATIENCE,
    )


async def main() -> None:
    import socket

    from streamlit import config
    from streamlit.web import bootstrap

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    for name, value in {
        "server.port": port,
        "server.address": "127.0.0.1",
        "server.headless": True,
    }.items():
        config.set_option(name, value)
    bootstrap.run(str(ROOT / "app.py"), False, [], {})
    await until(lambda: reachable(port))
    await scenario(port)


async def scenario(port: int) -> None:
    from benchmarks.app.sessions import arrive
    from benchmarks.harness import Server
    from svmviz.run.recipe import Recipe
    from svmviz.ui.jobs import workers
    from svmviz.ui.jobs.background import workers as shared
    from svmviz.ui.jobs.compiling import compilation
    from svmviz.ui.playground import beside

    workers.GRACE = 0.0  # who is away is gone
    beside.SECONDS["optima"] = 3600.0  # no deadline comes to help
    server, (dear, cheap) = (
        Server(port, 0),
        (Recipe(*given, steps=20).checked().query() for given in (DEAR, CHEAP)),
    )
    first, second = await arrive(server), await arrive(server)
    await asyncio.to_thread(compilation().join)
    computed = shared()

    opened = asyncio.create_task(first.ask(dear))
    await until(lambda: first.payload and computed.jobs)
    assert first.shown == dear, "the picture comes before the optimum"
    (job,) = computed.jobs.values()
    answer = await second.ask(cheap)
    assert not answer.fault and not job.ended.is_set(), (
        f"no small run beside a large optimum: {answer}"
    )

    await given_up(opened)
    await first.ask(cheap)  # moved on
    await until(lambda: job.ended.is_set() and not len(computed.turns))

    opened = asyncio.create_task(second.ask(dear))
    await until(lambda: computed.jobs)
    (job,) = computed.jobs.values()
    await given_up(opened)
    await second.socket.close()  # left
    await until(lambda: job.ended.is_set() and not len(computed.turns))
    await first.socket.close()


async def given_up(task: asyncio.Task) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def reachable(port: int) -> bool:
    import socket

    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def until(condition) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.02)


if __name__ == "__main__":
    asyncio.run(main())
