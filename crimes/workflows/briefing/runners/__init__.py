"""One module for each family of test runners: which of the tests it runs, and how it is started.

A runner takes the tests of one ecosystem, at least one, the most telling first, and returns the command that runs those that go
with the first; or a `note` where none of its configurations includes them.
"""
