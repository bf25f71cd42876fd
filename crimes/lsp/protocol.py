"""The protocol of the library without its memory of every notification."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from pygls.protocol import LanguageServerProtocol


class ForgettingProtocol(LanguageServerProtocol):
    """Drops the record of a message once it is handled. The library does so for requests only: an editor that stays open for
    days sends a notification for every edit, and each of them would be kept."""

    def _execute_handler(
        self, msg_id: Any, handler: Any, callback: Any, args: Any = None, kwargs: Any = None
    ) -> None:
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)

        def forget(handled: Future[Any]) -> None:
            # What a shutdown cancels stays: it is walking through the records.
            if self._request_futures.get(msg_id) is handled and not handled.cancelled():
                del self._request_futures[msg_id]

        if future is not None:
            future.add_done_callback(forget)
