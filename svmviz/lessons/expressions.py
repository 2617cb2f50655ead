"""Expressions in lessons: `wet >= n / 2`, `n * nu`. Read with Python's own grammar, of which next
to nothing is allowed, into nested lists that the player reckons with as well; nothing is ever run.

>>> tree = read("n * nu >= 4 and not teacher == 'active'")
>>> reckon(tree, {"n": 80, "nu": 0.05, "teacher": "random"})
True
>>> sorted(names(tree))
['n', 'nu', 'teacher']
>>> reckon(read("percent(wrong / n)"), {"wrong": 3, "n": 40})
7.5
"""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

LONGEST = 200  # characters
OPERATORS: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.GtE: ">=",
    ast.Gt: ">",
    ast.And: "and",
    ast.Or: "or",
    ast.Not: "not",
    ast.USub: "neg",
}
FUNCTIONS: dict[str, Callable] = {
    "abs": abs,
    "round": round,
    "min": min,
    "max": max,
    "percent": lambda share: 100.0 * share,
}
RECKONED: dict[str, Callable] = FUNCTIONS | {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda a, b: a / b if b else float("nan"),
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
    "neg": operator.neg,
    "not": operator.not_,
    "and": lambda *all_of: all(all_of),
    "or": lambda *any_of: any(any_of),
}

Tree = Any  # a number, ["'", text], ["name", name] or [operation, Tree, ...]


def read(text: str) -> Tree:
    """The tree of an expression, or a sentence about what cannot be part of one."""
    if len(text) > LONGEST:
        raise ValueError(
            f"an expression may have {LONGEST} characters, and this one has {len(text)}"
        )
    try:
        return _tree(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(
            f"{text.strip()!r} is no expression: names, numbers, + - * / ( ), comparisons, and,"
            " or, not"
        ) from None


def _tree(node: ast.AST) -> Tree:
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Constant(value=str() as text):
            return ["'", text]
        case ast.Name(id=name):
            return ["name", name]
        case ast.Attribute(value=ast.Name(id="end" | "first" as when), attr=name):
            return ["name", f"{when}.{name}"]
        case ast.BinOp(left, op, right) if type(op) in OPERATORS:
            return [OPERATORS[type(op)], _tree(left), _tree(right)]
        case ast.UnaryOp(op, operand) if type(op) in OPERATORS:
            return [OPERATORS[type(op)], _tree(operand)]
        case ast.BoolOp(op, values):
            return [OPERATORS[type(op)], *map(_tree, values)]
        case ast.Compare(left, [op], [right]) if type(op) in OPERATORS:
            return [OPERATORS[type(op)], _tree(left), _tree(right)]
        case ast.Call(ast.Name(id=name), args, []) if name in FUNCTIONS and args:
            return [name, *map(_tree, args)]
    raise ValueError(f"{ast.unparse(node)!r} cannot be part of an expression")


def names(tree: Tree) -> Iterator[str]:
    """All that it asks for."""
    if isinstance(tree, list):
        if tree[0] == "name":
            yield tree[1]
        elif tree[0] != "'":
            for part in tree[1:]:
                yield from names(part)


def reckon(tree: Tree, facts: Mapping[str, Any]) -> Any:
    """Its value, where these are the facts."""
    if not isinstance(tree, list):
        return tree
    if tree[0] == "name":
        return facts[tree[1]]
    if tree[0] == "'":
        return tree[1]
    return RECKONED[tree[0]](*(reckon(part, facts) for part in tree[1:]))
