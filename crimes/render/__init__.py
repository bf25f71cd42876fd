"""Reports as text: one file a format. No view imports another.

What they share: `safe`, `lines`, `text`, `summary`.
"""
