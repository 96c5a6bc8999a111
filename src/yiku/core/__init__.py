"""Verbs: functions that take `Ports`, one use case a file, read from top to bottom."""
