"""Texts of the mails, and one sentence for each reason a card is declined."""

REMINDER = "Hello {name},\n\ninvoice {number} over {total} was due on {due}.\n"
FINAL_REMINDER = "Hello {name},\n\nthis is the last reminder for invoice {number} over {total}.\n"
DECLINED = "Hello {name},\n\nwe could not charge your card for invoice {number}. {reason}\n"

DECLINE_REASONS = {
    "insufficient_funds": "Your bank reports that the account is short of funds.",
    "issuer_unavailable": "Your bank did not answer; we try again tomorrow.",
    "try_again_later": "Your bank asks us to try again; we do so tomorrow.",
    "card_expired": "The card has expired.",
    "card_lost": "The card was reported as lost.",
    "authentication_required": "Your bank wants you to confirm the payment.",
}


def decline_reason(code: str) -> str:
    return DECLINE_REASONS.get(code, "Your bank gave no reason.")
