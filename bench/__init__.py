"""Measurements: retrieval quality and speed. Numbers to track, not tests; run them with `make bench`."""
