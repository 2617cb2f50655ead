"""The address bar of a page, as far as the server knows: what it asks for, and whether it has
followed to what is shown.

The browser adds an entry to its history whenever the server writes the address. That is right where
a visitor moved on: Back leads to where they were. But a link that was just opened, or a page that
was returned to, is only spelt out in full, and an entry for that would have to be passed by a
second press. There the page itself puts the full address in the place of the one that led here; as
the browser goes on to send the old one, both stand for what is shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

REMEMBERED = 50  # addresses of before
Query = Mapping[str, str]


@dataclass(frozen=True)
class Address:
    known: tuple[Query, ...] = ()  # what is shown, the latest spelling first
    left: tuple[Query, ...] = ()  # what was shown before
    passed: tuple[Query, ...] = ()  # of other pages, written behind this one on the way there
    spelt: str = ""  # what the page shall write in place of the address that led here
    spelling: bool = False  # what is shown next may be spelt out

    def elsewhere(self, query: Query, returned: bool, back: bool) -> bool:
        """Whether a query asks for something else than what is shown. One that we left behind asks
        for nothing, unless the visitor went back to it, or returned to the page: a browser that has
        not followed yet sends it with whatever else it has to say.
        """
        if not query or query in self.known or query in self.passed:
            return False
        return returned or back or query not in self.left

    def arrived(self, query: Query) -> "Address":
        """What is shown is what this query asks for, or what a visitor left who returned: it may be
        spelt out.
        """
        return replace(self, known=(query,), spelt="", spelling=True)

    def passing(self, query: Query) -> "Address":
        """On the way to another page with this query the browser writes it behind this one first,
        and Back leads there: what is shown here is what the visitor left.
        """
        return replace(self, passed=(*self.passed, query)[-REMEMBERED:])

    def followed(self, query: Query, now: Query, back: bool) -> tuple["Address", bool]:
        """The address of what is shown, while the browser sends `now`; and whether to write it.

        As long as the browser sends another one it is written again: a run of the script that
        overtakes the one before drops what that had to say. It is written, too, where the browser
        sends it, but was told another one since: that is on its way. The browser adds no entry for
        an address where it is already.
        """
        after, moved = replace(self, spelling=False), query not in self.known[:1]
        if moved and self.spelling and not back and query != now:
            after = replace(after, known=(query, now), spelt=urlencode(query))
        elif moved:
            after = replace(
                after, left=(*self.left, *self.known)[-REMEMBERED:], known=(query,), spelt=""
            )
        return after, (moved or query != now) and not after.spelt
