"""Who answers SQL over tables: SQLite in a process of its own, which holds nothing else.

`child_process` has the adapter. It is not imported here: the process that runs `child` comes by this file, and would
load the server's half too, 0.3 s for each question.
"""
