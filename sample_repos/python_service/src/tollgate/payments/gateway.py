"""The payment provider's HTTP interface."""

from __future__ import annotations

import httpx
from httpx._config import DEFAULT_TIMEOUT_CONFIG

from tollgate.config import Settings
from tollgate.errors import CardDeclined, ProviderUnavailable

# The provider's codes, and whether trying again later can help.
RETRYABLE_CODES = {
    "insufficient_funds": True,
    "issuer_unavailable": True,
    "try_again_later": True,
    "card_expired": False,
    "card_lost": False,
    "authentication_required": False,
    "do_not_honour": False,
}


class Gateway:
    def __init__(self, settings: Settings) -> None:
        self._client = httpx.Client(
            base_url=settings.provider_url,
            headers={"Authorization": f"Bearer {settings.provider_key}"},
            timeout=DEFAULT_TIMEOUT_CONFIG,
        )

    def charge(self, card_token: str, minor: int, currency: str, idempotency_key: str) -> str:
        """Charges a card and returns the provider's reference."""
        body = {"source": card_token, "amount": minor, "currency": currency}
        return self._post("/charges", body, idempotency_key)

    def refund(self, reference: str, minor: int, idempotency_key: str) -> str:
        return self._post("/refunds", {"charge": reference, "amount": minor}, idempotency_key)

    def _post(self, path: str, body: dict[str, object], idempotency_key: str) -> str:
        response = self._client.post(path, json=body, headers={"Idempotency-Key": idempotency_key})
        if response.status_code == 402:
            raise CardDeclined(response.json()["code"])
        if response.status_code >= 500:
            raise ProviderUnavailable(f"{path}: {response.status_code}")
        response.raise_for_status()
        return str(response.json()["id"])


def is_retryable(code: str) -> bool:
    return RETRYABLE_CODES.get(code, False)
