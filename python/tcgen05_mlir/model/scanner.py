"""Reads the text of layout attributes; an error says what was wanted and at which character."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

MAX_DEPTH = 16
"""Deeper nesting than any layout needs; bounds the recursion."""

_TOKEN = re.compile(r"-?\d+|[A-Za-z_][\w.]*|#[\w.]+|\S")


class Scanner:
    """A position in a layout's text. Every method that reads raises ValueError from `fail`."""

    def __init__(self, text: str, mnemonic: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a layout's text must be a string, got {type(text).__name__}")
        self._text = text
        self._mnemonic = mnemonic
        self._tokens = [*_TOKEN.finditer(text)]
        self._next = 0

    def peek(self) -> str:
        """The next token, empty at the end."""
        return self._tokens[self._next][0] if self._next < len(self._tokens) else ""

    def accept(self, *tokens: str) -> str:
        """Takes the next token if it is one of these and returns it, else an empty string."""
        token = self.peek()
        if token == "" or token not in tokens:
            return ""
        self._next += 1
        return token

    def expect(self, *tokens: str) -> str:
        """Takes the next token, which must be one of these."""
        return self.accept(*tokens) or self.fail(" or ".join(f"'{token}'" for token in tokens))

    def integer(self) -> int:
        """Takes a decimal integer."""
        if not re.fullmatch(r"-?\d+", self.peek()):
            self.fail("an integer")
        self._next += 1
        return int(self._tokens[self._next - 1][0])

    def nest(self, leaf: Callable[[], Any], depth: int = 0) -> tuple[Any, ...]:
        """Takes a parenthesised, perhaps nested list whose leaves `leaf` takes."""
        if depth >= MAX_DEPTH:
            self.fail(f"at most {MAX_DEPTH} levels of modes")
        self.expect("(")
        if self.accept(")"):
            return ()
        parts = [self._part(leaf, depth)]
        while self.expect(",", ")") == ",":
            parts.append(self._part(leaf, depth))
        return tuple(parts)

    def open(self) -> bool:
        """Takes `#tcgen05.MNEMONIC<`, `<` or nothing; whether a `>` has to follow."""
        if self.accept(f"#tcgen05.{self._mnemonic}"):
            return bool(self.expect("<"))
        if self.peek().startswith("#"):
            self.fail(f"'#tcgen05.{self._mnemonic}'")
        return bool(self.accept("<"))

    def fields(self, readers: dict[str, Callable[[], Any]], closed: bool) -> dict[str, Any]:
        """Takes `, name = value` until the end, each name at most once, and the closing `>`."""
        found: dict[str, Any] = {}
        while self.accept(","):
            name = self.expect(*(name for name in readers if name not in found))
            self.expect("=")
            found[name] = readers[name]()
        if closed:
            self.expect(">")
        if self.peek():
            self.fail("the end of the text")
        return found

    def fail(self, wanted: str) -> NoReturn:
        """Raises ValueError: what was wanted, what was found and where, counted from 1."""
        at_end = self._next == len(self._tokens)
        position = len(self._text) if at_end else self._tokens[self._next].start()
        found = "the end" if at_end else f"'{self.peek()}'"
        raise ValueError(
            f"{self._mnemonic}: expected {wanted}, found {found} at character {position + 1} "
            f"of '{self._text}'"
        )

    def _part(self, leaf: Callable[[], Any], depth: int) -> Any:
        return self.nest(leaf, depth + 1) if self.peek() == "(" else leaf()
