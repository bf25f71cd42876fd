"""The briefing before an edit: all that is known of one file, and what follows from it."""

from crimes.briefing.gather import brief
from crimes.briefing.record import Briefing

__all__ = ["Briefing", "brief"]
