"""The player: a component that replays a trace in the browser, or those of a race. Python computes
and sends; nothing here animates. `scripts` are what runs in the browser, `mount` puts them on a
page of the app, `page` into a file that needs none.
"""

from pathlib import Path

WEB = Path(__file__).parent / "web"
