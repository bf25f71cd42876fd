"""Digests that identify content."""

from __future__ import annotations

from _blake2 import blake2b  # hashlib loads OpenSSL, which takes as long as a warm scan

DIGEST_BYTES = 16


def digest_of(content: bytes) -> bytes:
    """The digest of a content."""
    return blake2b(content, digest_size=DIGEST_BYTES).digest()
