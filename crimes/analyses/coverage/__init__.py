"""Coverage data of other tools: one file a format, and how their names for files become ours.

`sniff.read` takes bytes and tells the format by their content; `given.read_given` takes what a user named.
Nothing here opens a file that is named inside the data.
"""
