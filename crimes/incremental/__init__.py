"""What earlier scans found out, and the proof that it still holds."""
