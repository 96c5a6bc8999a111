"""The memory verbs: add, digest, search, read, edit."""
