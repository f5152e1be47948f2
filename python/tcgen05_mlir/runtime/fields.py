"""`Fields`: an object of JSON, read field by field, each of the kind that is wanted."""

from __future__ import annotations

from typing import Any, Final

from .geometry import Triple

LARGEST: Final = 2**31 - 1
"""The largest number that any size of a kernel or a launch can be."""


class FieldError(ValueError):
    """A field is missing, is not of its kind, or is one that nobody knows."""


class Fields:
    """The fields of one object. `path`: where it is, for messages: `kernels[0].`.

    `Fields("", {"name": "copy"}).text("name")` is `copy`. Each reader raises FieldError, such as
    `'kernels[0].name' must be a text, got 5`.
    """

    def __init__(self, path: str, data: dict[str, Any]) -> None:
        self.path = path
        self.data = data
        self._read: set[str] = set()

    def optional(self, name: str) -> Any:
        """The field as it is; FieldError where it is missing."""
        if name not in self.data:
            raise FieldError(f"'{self.path}{name}' is missing")
        self._read.add(name)
        return self.data[name]

    def check(self, name: str, right: bool, wanted: str) -> None:
        """FieldError where a value is not `right`."""
        if not right:
            raise FieldError(f"'{self.path}{name}' must be {wanted}, got {self.data[name]!r}")

    def text(self, name: str) -> str:
        value = self.optional(name)
        self.check(name, isinstance(value, str), "a text")
        self.check(name, _is_clean(value), "a text without NUL and lone surrogates")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.optional(name)
        right = isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
        self.check(name, right, "a list of texts")
        clean = all(map(_is_clean, value))
        self.check(name, clean, "a list of texts without NUL and lone surrogates")
        return tuple(value)

    def boolean(self, name: str) -> bool:
        value = self.optional(name)
        self.check(name, isinstance(value, bool), "true or false")
        return value

    def number(self, name: str) -> int:
        value = self.optional(name)
        self.check(name, _is_number(value), "a number, 0 or more")
        self.check(name, value <= LARGEST, f"a number, at most {LARGEST}")
        return value

    def optional_number(self, name: str) -> int | None:
        return None if self.optional(name) is None else self.number(name)

    def numbers(self, name: str, count: int) -> tuple[int, ...]:
        value = self.optional(name)
        right = isinstance(value, list | tuple) and len(value) == count
        self.check(name, right and all(map(_is_number, value)), f"{count} numbers")
        self.check(name, max(value) <= LARGEST, f"{count} numbers, each at most {LARGEST}")
        return tuple(value)

    def sizes(self, name: str) -> Triple | None:
        """x, y and z, each 1 or more; or null."""
        if self.optional(name) is None:
            return None
        found = self.numbers(name, 3)
        self.check(name, min(found) > 0, "3 numbers, each 1 or more")
        return (found[0], found[1], found[2])

    def inside(self, name: str) -> Fields:
        """The object in a field."""
        value = self.optional(name)
        self.check(name, isinstance(value, dict), "an object")
        return Fields(f"{self.path}{name}.", value)

    def objects(self, name: str) -> list[Fields]:
        """The objects in a field that is a list."""
        value = self.optional(name)
        right = isinstance(value, list | tuple) and all(isinstance(one, dict) for one in value)
        self.check(name, right, "a list of objects")
        return [Fields(f"{self.path}{name}[{i}].", one) for i, one in enumerate(value)]

    def check_all_read(self) -> None:
        """FieldError for a field that nobody asked for: it may mean something."""
        unknown = [name for name in self.data if name not in self._read | {"format_version"}]
        if unknown:
            raise FieldError(f"'{self.path}{unknown[0]}' is unknown")


def _is_clean(text: str) -> bool:
    """It can be a name for the driver, and be printed."""
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
