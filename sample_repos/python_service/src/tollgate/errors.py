"""What can go wrong with money."""


class BillingError(Exception):
    """Base of everything raised on purpose."""


class CardDeclined(BillingError):
    def __init__(self, code: str) -> None:
        super().__init__(f"the card was declined: {code}")
        self.code = code


class ProviderUnavailable(BillingError):
    """The payment provider did not answer, or answered with a server error."""


class UnknownCustomer(BillingError):
    """No customer has this id."""


class RefundTooLarge(BillingError):
    """More was asked back than was paid."""
