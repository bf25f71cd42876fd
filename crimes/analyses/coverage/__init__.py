"""Coverage data of other tools: one module a format, and how their file names become paths of the repository.

`sniff.read_coverage` recognises the format of bytes by their content; `load.load_coverage_files` reads files that a user names.
Nothing here opens a file that is named inside the data.
"""
