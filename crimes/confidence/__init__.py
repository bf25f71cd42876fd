"""How sure a claim is: exact arithmetic on the evidence for it."""
