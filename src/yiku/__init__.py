"""Yiku (忆库): memory, skills and knowledge for AI agents. Start reading at ARCHITECTURE.md."""

__version__ = "0.1.0"
