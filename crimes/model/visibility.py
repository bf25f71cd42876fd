"""Who may use a definition."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct


class Reach(IntEnum):
    """How far a definition can be seen; of two declarations of one name, the higher value counts."""

    FILE = 0  # its own file
    TYPE = 1  # the files of its class
    MODULE = 2  # its module and those below
    PARENT = 3  # the module around its own, and those below
    PACKAGE = 4  # its package
    HEIRS = 5  # the classes that inherit from its own
    PACKAGE_AND_HEIRS = 6
    UNIT = 7  # what is built with it
    EVERYWHERE = 8


class Visible(Struct, frozen=True):
    """A definition of a file: its name, that of the class around it if there is one, and its reach."""

    owner: str
    name: str
    reach: Reach

    @property
    def qualname(self) -> str:
        """`Order.save`, or `Order`."""
        return f"{self.owner}.{self.name}" if self.owner else self.name
