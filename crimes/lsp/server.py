"""The server for editors: diagnostics, lenses, hovers and actions, from the cache. Needs the extra `lsp`.

Nothing an editor waits for scans: a scan runs in the background after a file is opened or saved, and what it finds is sent
when it is done. What is typed and not saved is not looked at; the editor moves the marks with the text.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from crimes import __version__
from crimes.lsp import messages
from crimes.lsp.protocol import ForgettingProtocol
from crimes.lsp.service import EditorService, Place
from crimes.model.errors import CrimesError

_MAX_MESSAGE_CHARS = 2_000  # of a page that an editor can only show as a message


class CrimesServer(LanguageServer):
    """A server, the files that are open in its editor, and the scans that run."""

    def __init__(self, root: Path | None) -> None:
        super().__init__(messages.SOURCE, __version__, protocol_cls=ForgettingProtocol)
        self.service = EditorService(root)
        self.open: dict[str, Place] = {}
        self._scanning: dict[Path, asyncio.Task[None]] = {}
        self._again: set[Path] = set()
        self._pages = tempfile.TemporaryDirectory(prefix="crimes-pages-")

    def place_of(self, uri: str) -> Place | None:
        """The file of an address; None if it is not one of a repository on this machine."""
        try:
            name = to_fs_path(uri) if uri.startswith("file:") else None
            return self.service.place_of(Path(name)) if name else None
        except (OSError, ValueError):  # too long, a NUL, half a character: no file has such a name
            return None

    async def publish(self, uri: str) -> None:
        """Send the findings of an open file, if the last scan read it as it is."""
        place = self.open.get(uri)
        findings = await asyncio.to_thread(self.service.findings, place) if place else None
        if place is None or findings is None or uri not in self.open:
            return
        document = self.workspace.get_text_document(uri)
        codec = document.position_codec
        problems = [messages.diagnostic(crime, place.root, document.lines, codec) for crime in findings]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, problems))

    def refresh(self, root: Path) -> None:
        """Scan a repository in the background; once more if it is asked for while a scan runs."""
        if root in self._scanning:
            self._again.add(root)
        else:
            self._scanning[root] = asyncio.ensure_future(self._scan(root))

    async def _scan(self, root: Path) -> None:
        fault = ""
        try:
            while True:
                self._again.discard(root)
                fault = await asyncio.to_thread(self.service.refresh, root)
                if root not in self._again:
                    break
        finally:
            del self._scanning[root]
        if fault:
            self.window_log_message(types.LogMessageParams(types.MessageType.Warning, f"crimes: {fault}"))
        for uri, place in list(self.open.items()):
            if place.root == root:
                await self.publish(uri)
        if _supports(self, "workspace.code_lens.refresh_support"):
            with suppress(JsonRpcException):  # an editor that says it can, and then does not
                await self.workspace_code_lens_refresh_async(None)

    async def show_page(self, name: str, text: str) -> None:
        """Show a page of markdown in the editor; as a message where the editor opens no documents."""
        if _supports(self, "window.show_document.support"):
            page = Path(self._pages.name) / f"{name}.md"
            page.write_text(text, encoding="utf-8")
            shown = await self.window_show_document_async(
                types.ShowDocumentParams(page.as_uri(), take_focus=True)
            )
            if shown.success:
                return
        self.window_show_message(types.ShowMessageParams(types.MessageType.Info, text[:_MAX_MESSAGE_CHARS]))


def _supports(server: LanguageServer, path: str) -> bool:
    """Whether the editor has a capability, named by its path."""
    value: Any = server.client_capabilities
    for name in path.split("."):
        value = getattr(value, name, None)
    return bool(value)


def editor_server(root: Path | None = None) -> CrimesServer:
    """A server with all its features; for files of one repository only, if one is given."""
    server = CrimesServer(root)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: types.DidOpenTextDocumentParams) -> None:
        uri = params.text_document.uri
        place = await asyncio.to_thread(server.place_of, uri)
        if place is not None:
            server.open[uri] = place
            await server.publish(uri)
            server.refresh(place.root)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(params: types.DidSaveTextDocumentParams) -> None:
        place = server.open.get(params.text_document.uri)
        if place is not None:
            server.refresh(place.root)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        if server.open.pop(uri, None) is not None:
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        place = server.open.get(uri)
        if place is None:
            return []
        lenses = await asyncio.to_thread(server.service.lenses, place)
        return [messages.code_lens(lens, uri) for lens in lenses]

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        uri = params.text_document.uri
        place = server.open.get(uri)
        if place is None:
            return None
        word = server.workspace.get_text_document(uri).word_at_position(params.position)
        text = await asyncio.to_thread(server.service.hover, place, word, params.position.line + 1)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text)) if text else None

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        place = server.open.get(uri)
        problems = [problem for problem in params.context.diagnostics if problem.source == messages.SOURCE]
        return await _actions(server, uri, place, problems) if place else []

    @server.command(messages.EXPLAIN)
    async def explain(uri: str, id_: str) -> None:
        place = server.open.get(uri)
        if place is not None:
            await _show(server, f"finding-{id_[:7]}", lambda: server.service.finding_page(place, id_))

    @server.command(messages.BRIEFING)
    async def briefing(uri: str) -> None:
        place = server.open.get(uri)
        if place is not None:
            name = f"briefing-{Path(place.path).name}"
            await _show(server, name, lambda: server.service.briefing_page(place))

    @server.command(messages.PLACE_CURSOR)
    async def place_cursor(uri: str, line: int, column: int) -> None:
        if uri in server.open and _supports(server, "window.show_document.support"):
            at = types.Position(line, column)
            await server.window_show_document_async(
                types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(at, at))
            )

    return server


async def _show(server: CrimesServer, name: str, page: Callable[[], str]) -> None:
    """Show a page, or why there is none."""
    try:
        text = await asyncio.to_thread(page)
    except CrimesError as fault:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"crimes: {fault}"))
    else:
        await server.show_page(name, text)


async def _actions(
    server: CrimesServer, uri: str, place: Place, problems: Sequence[types.Diagnostic]
) -> list[types.CodeAction]:
    """Explain and ignore, for each of our problems at the cursor."""
    lines = server.workspace.get_text_document(uri).lines
    takes_snippets = _supports(server, "workspace.workspace_edit.snippet_edit_support")
    actions = []
    for problem in problems:
        id_ = problem.data.get("id") if isinstance(problem.data, dict) else None
        if isinstance(id_, str):
            actions.append(messages.explain_action(problem, uri, id_))
        comment = await asyncio.to_thread(server.service.ignore_comment, place, str(problem.code))
        line = problem.range.start.line
        if comment and line < len(lines):
            actions.append(
                messages.ignore_action(problem, uri, lines[line], comment, takes_snippets=takes_snippets)
            )
    return actions
