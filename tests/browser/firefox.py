"""Firefox as the distribution has it, spoken to in WebDriver BiDi: Playwright drives only one of
its own.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

NAMES = ("firefox-esr", "firefox")


def found() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


class Tab:
    def __init__(self, socket):
        self.socket, self.sent = socket, 0
        self.call("session.new", capabilities={})
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        self.sent += 1
        self.socket.send(json.dumps({"id": self.sent, "method": method, "params": params}))
        while (answer := json.loads(self.socket.recv(timeout=60))).get("id") != self.sent:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def goto(self, address: str) -> None:
        self.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """What a JavaScript expression is, as far as JSON can say it."""
        answer = self.call(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self.context},
            awaitPromise=False,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"].get("value", "null"))


@contextmanager
def firefox(folder: Path) -> Iterator[Tab]:
    """A tab of a Firefox that knows nobody; `folder` becomes its profile."""
    folder.mkdir()
    command = [
        found() or NAMES[0],
        "--headless",
        "--no-remote",
        "--profile",
        str(folder),
        "--remote-debugging-port",
        "0",
        "about:blank",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = next(
                said[1]
                for line in process.stderr
                if (said := re.search(r"BiDi listening on (ws://\S+)", line))
            )
            with connect(f"{address}/session", max_size=None) as socket:
                yield Tab(socket)
        finally:
            process.kill()
