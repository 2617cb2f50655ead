"""Many cases of one test, each checked although others failed; and tests that only some commits carry out.

    with Cases() as cases:
        for new in SOLVERS:
            with cases.case(f"to {new}"):
                assert ...

A test of its own costs pytest several milliseconds, more than most of these cases. Ten of them may stand in one test, if the
message still names every case that failed.
"""

from collections.abc import Callable
from types import TracebackType

import pytest

from tests.rotation import in_turn


def at_times(every: int = 4) -> Callable[[Callable], Callable]:
    """Mark a test as long, except in one commit out of `every`."""
    return lambda test: test if in_turn(test.__name__, every) else pytest.mark.long(test)


class Cases:
    """The cases of a loop; after the last one the test fails with all that did not hold."""

    def __init__(self):
        self.failed: list[str] = []

    def __enter__(self) -> "Cases":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is None or self.failed:
            assert not self.failed, f"{len(self.failed)} failed:\n" + "\n".join(self.failed)

    def case(self, name: object) -> "Case":
        """Return the context of one case: a failed assertion within it is kept, and the loop goes on."""
        return Case(self, str(name))


class Case:
    """One case; an error that is no failed assertion ends the test, with the name of the case in a note."""

    def __init__(self, cases: Cases, name: str):
        self.cases, self.name = cases, name

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type | None, error: BaseException | None, at: TracebackType | None) -> bool:
        if isinstance(error, AssertionError):
            while at.tb_next and at.tb_next.tb_frame.f_code.co_filename == at.tb_frame.f_code.co_filename:
                at = at.tb_next
            self.cases.failed.append(f"{self.name}, line {at.tb_lineno}: {error}")
        elif error is not None:
            error.add_note(f"The case is {self.name}.")
        return isinstance(error, AssertionError)
