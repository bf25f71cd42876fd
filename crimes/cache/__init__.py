"""What earlier scans found out, kept so that the next one need not: one SQLite file for each repository.

A cache never decides anything: whatever it cannot prove to be unchanged is made again, and whatever is wrong with it
is told in a notice and gone around.
"""
