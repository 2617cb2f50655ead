"""Tests of many cheap cases: one test that names all that fail, as each test of its own costs more than such a case."""

import inspect
import itertools


def each_of(**values):
    """Make one test of a test with these arguments: it runs all their combinations, and names every one that fails. Other
    arguments stay what they are, fixtures or parameters.

    >>> @each_of(a=[1, 2], b=[3, 4])
    ... def test_sum(a, b):
    ...     assert a + b == 5, f"it is {a + b}"
    >>> test_sum()
    Traceback (most recent call last):
    AssertionError: 2 of 4 cases fail
    a=1, b=3: it is 4
    a=2, b=4: it is 6
    """
    cases = [dict(zip(values, combination, strict=True)) for combination in itertools.product(*values.values())]

    def decorate(test):
        def all_of_them(**outer):
            failed = []
            for case in cases:
                try:
                    test(**case, **outer)
                except AssertionError as error:
                    failed.append(f"{', '.join(f'{name}={value}' for name, value in case.items())}: {error}")
            if failed:
                raise AssertionError(f"{len(failed)} of {len(cases)} cases fail\n" + "\n".join(failed))

        left = [p for name, p in inspect.signature(test).parameters.items() if name not in values]
        all_of_them.__signature__ = inspect.Signature(left)
        all_of_them.__name__, all_of_them.__qualname__ = test.__name__, test.__qualname__
        all_of_them.__module__, all_of_them.__doc__ = test.__module__, test.__doc__
        all_of_them.pytestmark = getattr(test, "pytestmark", [])
        return all_of_them

    return decorate
