"""Pages: one self-contained HTML file each, with its styles, scripts and data inside."""
