"""Measurements: retrieval quality and speed. Numbers to track, not tests; run them with `make bench`."""

import yiku  # noqa: F401  # Before numpy, whose threads it holds back, as in the server.
