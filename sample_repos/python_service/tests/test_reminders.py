from datetime import date, timedelta

import pytest

from tollgate.jobs.reminders import due_step
from tollgate.models import Invoice

DUE = date(2025, 5, 16)


def invoice(reminders_sent):
    return Invoice("i", "c", "EUR", DUE - timedelta(days=14), DUE, reminders_sent=reminders_sent)


@pytest.mark.parametrize(("late", "sent", "step"), [(2, 0, None), (3, 0, 0), (9, 1, None), (10, 1, 1), (30, 0, 2)])
def test_which_reminder_is_due(late, sent, step):
    assert due_step(invoice(sent), DUE + timedelta(days=late)) == step
