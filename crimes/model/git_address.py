"""Addresses of git repositories: which are accepted, what they are called, and how they are written without secrets."""

from __future__ import annotations

from crimes.model.lazy_regex import regex

# git runs no program that such an address names; `ext::` and its kind do nothing else.
PROTOCOLS = ("file", "git", "http", "https", "ssh")

_SCHEME = regex(r"([A-Za-z][A-Za-z0-9+.-]{0,30})://")
_HELPER = regex(r"[A-Za-z0-9][A-Za-z0-9+.-]{0,30}::")  # `transport::address`: a program is started
_SHORT = regex(r"[^/:\s]{1,255}:(?!//)")  # `host:path` over ssh, as git reads it: no slash before the colon
_USER_INFO = regex(r"(?<=://)[^/\s@]{1,4000}@")
_MAX_CHARS = 2000


def is_address(text: str) -> bool:
    """Whether a text is meant as an address: one of another kind than a folder's name."""
    return bool(_SCHEME.match(text) or _HELPER.match(text) or _SHORT.match(text))


def address_fault(address: str) -> str:
    """Why an address is not accepted; empty when it is."""
    if not address.strip() or address != address.strip() or not address.isprintable():
        return "is not an address"
    if len(address) > _MAX_CHARS:
        return f"is longer than {_MAX_CHARS:,} characters"
    if address.startswith("-"):
        return "begins with a dash, which git takes for an option"
    scheme = _SCHEME.match(address)
    protocol = scheme[1].lower() if scheme else ""
    if _HELPER.match(address) or (scheme and protocol not in PROTOCOLS):
        return f"has a transport that is not allowed; use {', '.join(PROTOCOLS[:-1])} or {PROTOCOLS[-1]}"
    if scheme and (user := _USER_INFO.search(address)) and (protocol != "ssh" or ":" in user[0]):
        return "holds a user name or password; keep those in git's own configuration (a credential helper, or url.insteadOf)"
    return ""


def without_secrets(text: str) -> str:
    """A text with user names and passwords taken out of the addresses in it."""
    return _USER_INFO.sub("", text)


def name_in(address: str) -> str:
    """What a repository is called after its address: its path on the host, without `.git`; of one on this disk, its folder."""
    scheme = _SCHEME.match(address)
    rest = address[scheme.end() :] if scheme else address
    path = rest.partition("/")[2] if scheme else rest.rpartition(":")[2]
    path = path.strip("/").removesuffix(".git").strip("/")
    is_local = scheme[1].lower() == "file" if scheme else not _SHORT.match(address)
    return path.rpartition("/")[2] if is_local else path
