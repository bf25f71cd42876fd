"""Settings of all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# No test is a measurement: on a busy machine each example may take as long as it likes.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
