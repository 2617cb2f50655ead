"""The command line of the walk."""

import argparse
import itertools
import tempfile
from contextlib import contextmanager, nullcontext
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.harness import FLAGS, chromium, serve  # noqa: E402

from .walker import Failure, Walker

EACH = 300  # actions of one visitor


@contextmanager
def started(address: str | None = None):
    """A browser, the app's address and what it prints; where an address is given, that app."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        log = Path(folder, "server.txt")
        with (
            nullcontext() if address else serve(log) as server,
            playwright.chromium.launch(executable_path=chromium(), args=FLAGS) as browser,
        ):
            yield browser, address or server.address, log if server else None


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Walk through the app by chance and check what must always hold"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="of the first visitor; the next has the next number"
    )
    parser.add_argument("--actions", type=int, help="in all; without it, until stopped")
    parser.add_argument(
        "--address", help="of an app that is running, such as http://localhost:8501"
    )
    parser.add_argument("--loud", action="store_true", help="print every action")
    given = parser.parse_args()
    total = 0
    with started(given.address) as (browser, address, log):
        for seed in itertools.count(given.seed):
            walker = Walker(browser, address, log, seed, given.loud)
            try:
                walker.walk(EACH if given.actions is None else min(EACH, given.actions - total))
            except Failure as failure:
                walker.page.screenshot(path=f"walk-{seed}.png")
                raise SystemExit(f"{failure}\nA picture of the page: walk-{seed}.png") from None
            walker.close()
            total += len(walker.done)
            print(
                f"seed {seed}: {len(walker.done)} actions, {total} in all, nothing found",
                flush=True,
            )
            if given.actions is not None and total >= given.actions:
                return


if __name__ == "__main__":
    main()
