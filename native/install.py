"""Puts the library that cargo built where the Python that runs this imports it from."""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path

RELEASE = Path(__file__).parent / "target" / "release"
ENDING = ".dylib" if sysconfig.get_platform().startswith("macosx") else ".so"


def main() -> None:
    """Replace the module in one step: another process may be using the old one."""
    place = Path(sysconfig.get_path("platlib")) / "crimes_native.abi3.so"
    new = place.with_suffix(".new")
    shutil.copyfile(RELEASE / f"libcrimes_native{ENDING}", new)
    os.replace(new, place)


if __name__ == "__main__":
    main()
