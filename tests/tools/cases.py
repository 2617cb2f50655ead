"""Many cases of one test, each checked although others failed.

    with Cases() as cases:
        for new in SOLVERS:
            with cases.case(f"to {new}"):
                assert ...

A test of its own costs pytest several milliseconds, more than most of these cases. Ten of them may
stand in one test, if the message still names every case that failed.
"""

import functools
import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType

TESTS = str(Path(__file__).parents[1])


class Cases:
    """The cases of a loop; after the last one the test fails with all that did not hold."""

    def __init__(self):
        self.failed: list[str] = []

    def __enter__(self) -> "Cases":
        return self

    def __exit__(
        self, kind: type | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        if error is None or self.failed:
            assert not self.failed, f"{len(self.failed)} failed:\n" + "\n".join(self.failed)

    def case(self, name: object) -> "Case":
        """Return the context of one case: a failed assertion within it is kept, and the loop goes
        on.
        """
        return Case(self, str(name))


class Case:
    """One case; an error that is no failed assertion ends the test, with the name of the case in a
    note.
    """

    def __init__(self, cases: Cases, name: str):
        self.cases, self.name = cases, name

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type | None, error: BaseException | None, at: TracebackType | None
    ) -> bool:
        if isinstance(error, AssertionError):
            last = at
            while at:  # to the line of the test that is nearest to the failure
                last = at if TESTS in at.tb_frame.f_code.co_filename != __file__ else last
                at = at.tb_next
            self.cases.failed.append(f"{self.name}, line {last.tb_lineno}: {error}")
        elif error is not None:
            error.add_note(f"The case is {self.name}.")
        return isinstance(error, AssertionError)


def together(names: str, values: Iterable) -> Callable[[Callable], Callable]:
    """Do as `pytest.mark.parametrize` does, with all cases in one test; fixtures are the same for
    all of them.
    """
    known, values = [name.strip() for name in names.split(",")], list(values)

    def decorated(test: Callable) -> Callable:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def all_cases(**fixtures) -> None:
            with Cases() as cases:
                for value in values:
                    given = value if len(known) > 1 else (value,)
                    with cases.case(", ".join(map(str, given))[:200]):
                        test(**fixtures, **dict(zip(known, given, strict=True)))

        del all_cases.__wrapped__  # where pytest would find the names again
        all_cases.__signature__ = signature.replace(
            parameters=[p for n, p in signature.parameters.items() if n not in known]
        )
        return all_cases

    return decorated
