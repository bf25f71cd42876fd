"""The nouns: facts, findings, reports and the words they share. Imports nothing of ours."""
