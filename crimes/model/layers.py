"""Layers of a repository as its configuration states them: the files of each, and which imports are forbidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field


class Forbidden(Struct, frozen=True):
    """An import that is not wanted although the order allows it, and why."""

    importer: str  # name of the layer that must not import
    imported: str  # name of the layer that must not be imported
    reason: str = ""  # shown with the finding


class Layers(Struct, frozen=True):
    """`order` goes from the top down: a layer may import those after it, and none beside it in the same step."""

    # names of layers from the top down: each may import those below; layers side by side are joined with `|`
    order: tuple[tuple[str, ...], ...] = ()
    # gitignore patterns of the files of each layer, by its name
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    forbidden: tuple[Forbidden, ...] = ()  # imports that are forbidden although the order allows them

    def step(self, layer: str) -> int:
        """How far down a layer is; -1 for one that only rules speak of."""
        return next((n for n, step in enumerate(self.order) if layer in step), -1)


def faults(layers: Layers) -> Iterator[tuple[str, str]]:
    """What is wrong with layers: the key, and the message."""
    ordered = [layer for step in layers.order for layer in step]
    ruled = {layer for rule in layers.forbidden for layer in (rule.importer, rule.imported)}
    for layer in sorted(set(ordered) | ruled):
        if layer not in layers.files:
            yield "files", f"{layer!r} has no files; expected a list of patterns"
        if ordered.count(layer) > 1:
            yield "order", f"{layer!r} is listed more than once"
    for layer in layers.files:
        if layer not in ordered and layer not in ruled:
            yield "files", f"{layer!r} is in neither the order nor a rule"
