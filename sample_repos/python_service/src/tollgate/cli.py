"""`tollgate nightly`: the command cron runs."""

from __future__ import annotations

import argparse
import logging
from datetime import date

from tollgate.config import load
from tollgate.jobs import nightly


def main() -> None:
    parser = argparse.ArgumentParser(prog="tollgate")
    parser.add_argument("command", choices=["nightly"])
    parser.add_argument("--date", type=date.fromisoformat, default=date.today())
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    nightly.run(load(), arguments.date)
