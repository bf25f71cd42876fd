"""Files that embed code of another language: Vue, Svelte and Astro components, and notebooks."""

from __future__ import annotations

from msgspec.structs import replace

from crimes.languages.embedded.blocks import astro_code, script_blocks
from crimes.languages.embedded.notebook import notebook_code
from crimes.languages.javascript import JAVASCRIPT
from crimes.languages.python import PYTHON
from crimes.languages.spec import Language
from crimes.languages.typescript import TSX, TYPESCRIPT
from crimes.model.facts import Role


def _beside_markup(language: Language) -> Language:
    """The language without erased imports: markup may use what its script only imports."""
    assert language.syntax is not None
    return replace(
        language,
        id=f"{language.id} beside markup",
        syntax=replace(language.syntax, imports=replace(language.syntax.imports, refine=None)),
    )


_JAVASCRIPT, _TYPESCRIPT, _TSX = map(_beside_markup, (JAVASCRIPT, TYPESCRIPT, TSX))
_BY_ATTRIBUTE = {"ts": _TYPESCRIPT, "typescript": _TYPESCRIPT, "tsx": _TSX}


def _component(source: bytes) -> tuple[Language, bytes]:
    langs, code = script_blocks(source)
    return next((_BY_ATTRIBUTE[lang] for lang in langs if lang in _BY_ATTRIBUTE), _JAVASCRIPT), code


def _astro(source: bytes) -> tuple[Language, bytes]:
    return _TYPESCRIPT, astro_code(source)


def _notebook(source: bytes) -> tuple[Language, bytes]:
    return PYTHON, notebook_code(source)


VUE = replace(_TYPESCRIPT, id="vue", name="Vue", extensions=(".vue",), inner=_component)
SVELTE = replace(_TYPESCRIPT, id="svelte", name="Svelte", extensions=(".svelte",), inner=_component)
ASTRO = replace(_TYPESCRIPT, id="astro", name="Astro", extensions=(".astro",), inner=_astro)
NOTEBOOK = replace(
    PYTHON,
    id="notebook",
    name="Jupyter notebook",
    extensions=(".ipynb",),
    inner=_notebook,
    role_of_path=lambda path: Role.SCRIPT,  # nobody imports a notebook; its cells are run by hand
)
