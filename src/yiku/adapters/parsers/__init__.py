"""What is written in a file? Readers, one a format, that run in a process of their own.

Nothing is exported here: the child imports this package too, and must not load what only the server needs.
"""
