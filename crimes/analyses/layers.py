"""Which layer each file belongs to, and whether one layer may import another."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from crimes.detection.context import Analysis, Context
from crimes.model.layers import Layers


class LayerMap(Struct, frozen=True):
    """The stated layers and the layer of each file; of several whose patterns fit, the first one stated."""

    stated: Layers
    of: Mapping[str, str]  # by path

    def objection(self, importer: str, imported: str) -> str:
        """Why a layer may not import another; empty when it may."""
        for rule in self.stated.forbidden:
            if (rule.importer, rule.imported) == (importer, imported):
                return rule.reason or f"a rule forbids {importer} from importing {imported}"
        upper, lower = self.stated.step(imported), self.stated.step(importer)
        if importer == imported or -1 in (upper, lower) or upper > lower:
            return ""
        return f"{imported} is above {importer}" if upper < lower else f"{imported} is beside {importer}"


def build(context: Context) -> LayerMap:
    stated = context.config.layers
    if not stated.files:
        return LayerMap(stated, {})
    from pathspec import GitIgnoreSpec

    layer_of: dict[str, str] = {}
    for layer, patterns in stated.files.items():
        matches = GitIgnoreSpec.from_lines(patterns).match_file
        for path in context.repo.files:
            if path not in layer_of and matches(path):
                layer_of[path] = layer
    return LayerMap(stated, layer_of)


LAYERS = Analysis("layers", build)
