"""Dialects: one folder each (`routes`, `decode`, `encode`, `errors`). Dialects never import each other."""
