"""What the manifests of a tree require, compared with the lockfiles beside them."""

from __future__ import annotations

from crimes.detection.context import Analysis, Context
from crimes.languages import by_id
from crimes.languages.linking.manifest import Pin

Pins = tuple[Pin, ...]


def build(context: Context) -> Pins:
    repo = context.repo
    families = {language.family: language.pins for language in by_id.values() if language.pins}
    return tuple(pin for _, pins in sorted(families.items()) for pin in pins(repo.paths, repo.read))


PINS = Analysis("pins", build)
