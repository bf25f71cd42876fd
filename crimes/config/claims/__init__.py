"""Claims without evidence: their kinds, the phrases that make them, and the numbers behind their score."""
