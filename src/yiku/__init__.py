"""Yiku (忆库): memory, skills and knowledge for AI agents. Start reading at ARCHITECTURE.md."""

import os

__version__ = "0.1.0"

# Before numpy is loaded. Vectors here are short; with more threads OpenBLAS keeps a core spinning after each product,
# which the embedding model then lacks: p95 of a search 53 ms instead of 40. What the operator has set stays.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
